/** The result as Markdown: `docs/accuracy.md`. Pure. */
import { fillPage, toTable } from "../harness/figures.ts";
import type { CheckoutResult } from "./compare_checkout.ts";
import { NAMES } from "./compare_checkout.ts";
import type { Explained, KindText } from "./definition_facts.ts";
import { ONLY_CTAGS } from "./only_ctags.ts";
import { ONLY_OURS } from "./only_ours.ts";
import { REFERENCE_KINDS } from "./reference_kinds.ts";

const CAUSES: Readonly<Record<string, string>> = {
  terms: "both are right in their own terms",
  theirs: "the other program",
  ours: "the index",
};

/**
 * The page.
 *
 * @param commit of this program, with a note when files differ from it.
 * @param programs names and versions of the programs.
 */
export function renderAccuracy(
  template: string,
  results: readonly CheckoutResult[],
  { commit, programs }: { readonly commit: string; readonly programs: readonly string[] },
): string {
  const lists = (pick: (result: CheckoutResult) => readonly Explained<Found>[]) =>
    results.map((result) => [result.name, pick(result)] as const);
  const onlyCtags = lists(({ definitions }) => definitions.onlyCtags);
  const onlyOurs = lists(({ definitions }) => definitions.onlyOurs);
  const references = lists((result) => result.references.differences);
  const unexplained = [
    ...toUnexplained("definition, only ctags", onlyCtags),
    ...toUnexplained("definition, only the index", onlyOurs),
    ...toUnexplained("reference", references),
  ];
  return fillPage(template, {
    commit,
    programs: programs.join(", "),
    repositories: toTable(
      ["repository", "most files", "files", "with errors", "revision"],
      results.map(({ name, language, files, partial, revision }) => [
        name,
        language,
        String(files),
        String(partial),
        `\`${revision}\``,
      ]),
    ),
    definitions: toDefinitionTable(results),
    only_ctags: toKindTable(ONLY_CTAGS, onlyCtags),
    only_ours: toKindTable(ONLY_OURS, onlyOurs),
    names: String(NAMES),
    references: toReferenceTable(results),
    kinds: toKindTable(REFERENCE_KINDS, references),
    unexplained: unexplained.length === 0
      ? "Nothing."
      : toTable(["repository", "list", "name", "place"], unexplained),
  });
}

function toDefinitionTable(results: readonly CheckoutResult[]): string {
  const ours = ["missed by us", "only the index", "misread by us", "unexplained", "found", "right"];
  return toTable(
    ["repository", "both", "only ctags", ...ours],
    results.map(({ name, definitions: { both, onlyCtags, onlyOurs } }) => {
      const [missed, misread] = [countOurs(onlyCtags), countOurs(onlyOurs)];
      const all = both + onlyOurs.length;
      const unexplained = [...onlyCtags, ...onlyOurs].filter(({ kind }) => kind === null).length;
      const counts = [both, onlyCtags.length, missed, onlyOurs.length, misread, unexplained];
      return [
        name,
        ...counts.map(String),
        toPercent(both, both + missed),
        toPercent(all - misread, all),
      ];
    }),
  );
}

function toReferenceTable(results: readonly CheckoutResult[]): string {
  const only = ["only rg", "only the index", "unexplained", "recall", "precision"];
  return toTable(
    ["repository", "names", "both", ...only],
    results.map(({ name, references: { names, both, differences } }) => {
      const of = (side: string) => differences.filter(({ found }) => found.side === side);
      const [theirs, ours] = [of("ripgrep"), of("ours")];
      const unexplained = differences.filter(({ kind }) => kind === null).length;
      return [
        name,
        ...[names, both, theirs.length, ours.length, unexplained].map(String),
        toPercent(both, both + countOurs(theirs)),
        toPercent(both, both + countOurs(ours)),
      ];
    }),
  );
}

interface Found {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

type Lists = readonly (readonly [repository: string, differences: readonly Explained<Found>[]])[];

/** Unexplained differences, so that nobody has to look for them. */
function toUnexplained(list: string, lists: Lists): readonly (readonly string[])[] {
  return lists.flatMap(([repository, differences]) =>
    differences.filter(({ kind }) => kind === null)
      .map(({ found }) => [repository, list, `\`${found.name}\``, `${found.path}:${found.line}`])
  );
}

/** A row a kind that occurs: what it is, whose doing, how often in each repository, an example. */
function toKindTable(kinds: readonly KindText[], lists: Lists): string {
  const rows = kinds.flatMap(({ id, cause, text }) => {
    const found = lists.map(([name, list]) =>
      [name, list.filter(({ kind }) => kind?.id === id)] as const
    ).filter(([, list]) => list.length > 0);
    const [[name, [example] = []] = []] = found;
    if (example === undefined) return [];
    const often = found.map(([repository, list]) => `${repository} ${list.length}`).join(", ");
    const { found: { name: symbol, path, line } } = example;
    return [[id, text, CAUSES[cause] ?? cause, often, `${name}: \`${symbol}\`, ${path}:${line}`]];
  });
  return toTable(["kind", "what it is", "whose doing", "how often", "example"], rows);
}

function countOurs(list: readonly Explained<Found>[]): number {
  return list.filter(({ kind }) => kind === null || kind.cause === "ours").length;
}

/** In percent with two digits; rounded down, so that 100 means all. */
function toPercent(part: number, all: number): string {
  return all === 0 ? "–" : (Math.floor(10_000 * part / all) / 100).toFixed(2) + " %";
}
