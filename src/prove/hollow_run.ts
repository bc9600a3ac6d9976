/** Runs changed tests that fail only since a name is missing once more: on a version in which the new functions do nothing. */
import { join } from "node:path";
import { checkOwnFile } from "../base/files/own_folder.ts";
import type { TreePath } from "../base/paths.ts";
import type { Checkout } from "../evidence/checkout/with_checkout.ts";
import { isPassed } from "../evidence/runs/judge_run.ts";
import type { RunCheckout, VerificationRun } from "../evidence/runs/verification.ts";
import { languageOfPath } from "../language/languages.ts";
import { isTestSide } from "../language/test_names.ts";
import type { ServerRunMutants } from "../phase/check_findings.ts";
import type { Change, ChangePlace } from "./change.ts";
import { readProof } from "./changed_tests.ts";
import type { HollowScope } from "./hollow_version.ts";
import { HOLLOW_KINDS, makeHollow } from "./hollow_version.ts";
import type { MissingNames } from "./missing_names.ts";
import { findMissingNames } from "./missing_names.ts";

/** Most changed sources of which such a version is made (guessed). */
const MOST_FILES = 100;

/** So many more runs have to fit into the time for another version, as most of it is for other checks (guessed). */
const LEAST_LEFT = 8;

/** What is known of changed tests that fail without the change only since a name is missing there. */
export interface NameProof extends MissingNames {
  /** What a version shows in which the new functions do nothing; a sentence where there is none. */
  readonly hollow: HollowProof | string;
}

/** The changed tests on a version in which the new functions do nothing. */
export interface HollowProof {
  /** The functions that did nothing. */
  readonly functions: readonly string[];
  /** Tests that pass with it, as `path: name`. */
  readonly passing: readonly string[];
}

/** Where a hollow version runs. */
export interface HollowInput {
  readonly change: Pick<Change, "base" | "tree" | "files">;
  readonly missing: MissingNames;
  /** Milliseconds that are left for this and for what comes after it. */
  readonly leftMs: () => number;
  /** The checkout of the tree with the change. */
  readonly use: RunCheckout["use"];
  readonly run: (checkout: Checkout) => Promise<VerificationRun["results"]>;
}

/** Runs the changed tests on the change without what its new functions do. */
export async function tryHollow(
  place: ChangePlace,
  { change, missing, leftMs, use, run }: HollowInput,
): Promise<HollowProof | string> {
  return await use(async (made) => {
    if (typeof made === "string") return made;
    let idle = missing.tests;
    const functions = new Set<string>();
    const touched = new Set<TreePath>();
    for (const [at, kind] of HOLLOW_KINDS.entries()) {
      const files = await listHollow(place, change, kind, "new");
      if (files.length === 0) continue;
      for (const { names } of files) for (const name of names) functions.add(name);
      for (const { path } of files) touched.add(path);
      for (const path of touched) {
        const text = files.find((file) => file.path === path)?.text ??
          await place.trees.readText(change.tree, path) ?? "";
        await writeInto(made, path, text, at);
      }
      const startedAtMs = performance.now();
      const results = await run(made);
      const isLate = (performance.now() - startedAtMs) * LEAST_LEFT > leftMs();
      const proof = await readProof(place, change, results);
      const again = findMissingNames({ ...missing, nothing: [] }, results);
      const isSame = again.names.length === 0 ||
        again.names.some((name) => missing.names.includes(name));
      if (proof === null || proof.unknown !== null || (again.tests.length > 0 && isSame)) {
        // Another value than the simplest need not fit everywhere.
        if (at > 0) continue;
        return `no version in which ${[...functions].join(", ")} does nothing can be built`;
      }
      const { nothing } = proof;
      const isAll = nothing.some((test) => test.endsWith(": all of its tests"));
      const passing = missing.tests.filter((test) => isAll || nothing.includes(test));
      // One version that all tests pass is enough; of two that ask for yes and for no each passes with one.
      if (passing.length === missing.tests.length) return { functions: [...functions], passing };
      idle = idle.filter((test) => passing.includes(test));
      if (isLate) break;
    }
    return functions.size === 0
      ? "no function is new that could be made to do nothing"
      : { functions: [...functions], passing: idle };
  });
}

/**
 * The wrong version of changed lines that have no smaller one: the functions that they are in do nothing. Null where
 * there is none, or where it cannot be built.
 */
export async function tryEmptied(
  place: ChangePlace,
  { change, use, run }: Omit<HollowInput, "missing" | "leftMs">,
): Promise<ServerRunMutants | null> {
  const files = await listHollow(place, change, "value", "changed");
  const [first] = files;
  if (first === undefined) return null;
  const results = await use(async (made) => {
    if (typeof made === "string") return null;
    for (const { path, text } of files) await writeInto(made, path, text, 0);
    return await run(made);
  });
  if (results === null || results.length === 0) return null;
  const reports = results.flatMap(({ report }) => report ?? []);
  const isPassing = results.every(isPassed);
  if (!isPassing && !reports.some(({ failed }) => failed > 0)) return null;
  const names = files.flatMap((file) => file.names).join(", ");
  const what = `a version of ${names} that does nothing`;
  const line = first.text.split("\n").findIndex((text) => text.includes(first.names[0] ?? "")) + 1;
  const survivors = isPassing
    ? [{ path: place.paths.toProject(first.path), line, change: what }]
    : [];
  return { total: 1, killed: isPassing ? 0 : 1, broken: 0, survivors, tests: [], unknown: null };
}

async function listHollow(
  { trees }: ChangePlace,
  { base, tree, files }: HollowInput["change"],
  kind: typeof HOLLOW_KINDS[number],
  scope: HollowScope,
) {
  const sources = files.filter(({ path, kind }) =>
    kind !== "deleted" && !isTestSide(path) && languageOfPath(path)?.nature === "code"
  ).slice(0, MOST_FILES);
  const made = await Promise.all(sources.map(async (file) => {
    const { path } = file;
    const after = await trees.readText(tree, path);
    const before = file.kind === "added" ? null : await trees.readText(base, file.from ?? path);
    const version = after === null ? null : await makeHollow({ path, before, after }, kind, scope);
    return version === null ? [] : [{ path, ...version }];
  }));
  return made.flat();
}

/** Each version gets a later time than the one before, as what is compiled is kept by it. */
async function writeInto(
  { root }: Checkout,
  path: TreePath,
  text: string,
  at: number,
): Promise<void> {
  const file = join(root, path);
  checkOwnFile(file, { below: root });
  await Deno.writeTextFile(file, text);
  const laterS = ((await Deno.stat(file)).mtime?.getTime() ?? 0) / 1000 + 2 * at;
  await Deno.utime(file, laterS, laterS);
}
