/**
 * Proves an executable: `deno task prove [PATH]`, default `dist/code-intel`. A line for each proof, the sum
 * last; what this machine cannot prove is skipped with the reason, and never counts as passed.
 */
import { join, resolve } from "node:path";
import { provePlaces, proveReadOnlyProject, proveShared } from "./cache_proofs.ts";
import { Sandbox, Skipped } from "./sandbox.ts";
import {
  proveBundle,
  proveEmbedded,
  proveSaidSize,
  proveSame,
  proveTypes,
} from "./build_proofs.ts";
import { proveHandles, proveLimits } from "./handle_proofs.ts";
import { proveGrammars, proveMeaning, proveVectors } from "./search_proofs.ts";
import { proveAlone, proveGoneFolder, proveHandshake, proveInit } from "./start_proofs.ts";
import { proveStranger } from "./stranger.ts";
import { print, REPOSITORY } from "../task.ts";

interface Proof {
  readonly name: string;
  readonly run: (sandbox: Sandbox) => Promise<void>;
}

const PROOFS: readonly Proof[] = [
  { name: "it runs alone: moved, without one variable", run: proveAlone },
  { name: "a folder that is gone is said in one line", run: proveGoneFolder },
  { name: "both eras of the protocol, without one variable", run: proveHandshake },
  { name: "init, doctor and uninstall in an empty repository", run: proveInit },
  { name: "every grammar reads its sample as the source does", run: proveGrammars },
  { name: "vectors are those of the source and near the reference", run: proveVectors },
  { name: "a search by meaning, with vectors", run: proveMeaning },
  { name: "what is unpacked is shared and mended", run: proveShared },
  { name: "nowhere to unpack: read-only, noexec, full disk", run: provePlaces },
  { name: "reading commands in a read-only project", run: proveReadOnlyProject },
  { name: "the compiling Deno knows all that the source uses", run: proveTypes },
  { name: "what `using` names is disposed of, bundled too", run: proveBundle },
  { name: "200 recorded calls and 20 sessions leave no file open", run: proveHandles },
  { name: "too low a limit of open files is said, a modest one is enough", run: proveLimits },
  { name: "docs/binary.md says how large it is", run: proveSaidSize },
  { name: "the same commit gives the same bytes in another folder", run: proveSame },
  { name: "files embedded instead of packed, as on macOS and Windows", run: proveEmbedded },
  {
    name: "a stranger's session, offline, from init to the merged commit",
    run: (sandbox) => proveStranger(sandbox, isVerbose ? print : () => {}),
  },
];

const words = Deno.args.filter((word) => !word.startsWith("--"));
const isVerbose = Deno.args.includes("--verbose");

const counts = { passed: 0, failed: 0, skipped: 0 };
const [path = join(REPOSITORY, "dist", "code-intel"), wanted = ""] = words;

async function prove({ name, run }: Proof): Promise<void> {
  await using sandbox = await Sandbox.open(resolve(path));
  const startedAt = performance.now();
  const toSeconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    await run(sandbox);
    counts.passed++;
    print(`passed: ${name} (${toSeconds()} s)`);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    const isSkipped = failure instanceof Skipped;
    counts[isSkipped ? "skipped" : "failed"]++;
    print(`${isSkipped ? "skipped" : "failed"}: ${name}: ${reason}`);
  }
}

/** A proof has one thing done after the other: two at a time keep two cores busy. */
const AT_A_TIME = 2;
const waiting = PROOFS.filter((proof) => proof.name.includes(wanted)).values();
await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
  for (const proof of waiting) await prove(proof);
}));
print(`proof | ${counts.passed} passed | ${counts.failed} failed | ${counts.skipped} skipped`);
Deno.exitCode = counts.failed === 0 ? 0 : 1;
