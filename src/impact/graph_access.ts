/** Opens what an analysis of impact rests on: the whole index, and the working diff as git has it. */
import { relative } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { waitAtMost } from "../base/wait_at_most.ts";
import { argument, call, SAME_CALL, say } from "../base/text/words.ts";
import type { IndexFreshness } from "../explore/answer_types.ts";
import type { ExplorerOptions } from "../explore/index_access.ts";
import { openPatiently } from "../explore/index_access.ts";
import type { OpenRepo } from "../git/repository_opener.ts";
import type { ChangedText, ReadDiffOptions } from "./diff.ts";
import { readChangedTexts } from "./diff.ts";

/** What the index and git are reached by. */
export interface GraphAccess extends ExplorerOptions {
  readonly openRepo: OpenRepo;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The state of the index, or why it cannot answer. */
export type Open =
  | { readonly kind: "open"; readonly freshness: IndexFreshness }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** The graph has no other source than the index: half of it would say that nothing depends on a change. */
export async function openGraph(bench: GraphAccess, options: CallOptions): Promise<Open> {
  const waitMs = LIMITS.impactWaitMs.value;
  const access = await openPatiently(bench, { ...options, waitMs, needsAll: true });
  if (access.kind === "ready") return { kind: "open", freshness: access.freshness };
  return {
    kind: "refused",
    problems: [toProblem("index_not_ready", access.notice, {
      hint: access.hint ??
        say`${call("sync_index")}, then ${call("analyze_impact")} again with the same arguments.`,
    })],
  };
}

type Refused = { readonly kind: "refused"; readonly problems: Problem[] };

/** What differs from the last commit, below the project. */
export async function readDiff(
  bench: GraphAccess,
  options: ReadDiffOptions,
): Promise<readonly ChangedText[] | Refused> {
  const repo = await bench.openRepo();
  if (repo === null) {
    return {
      kind: "refused",
      problems: [toProblem("no_git", "Cannot read the working diff: the project has no git", {
        at: "diff",
        hint: say`Name the files in \`${argument("target_files")}\` instead.`,
      })],
    };
  }
  const under = relative(repo.worktree, bench.projectRoot).replaceAll("\\", "/");
  const reading = readChangedTexts(repo, { ...options, under, index: bench.index });
  // A process that ends with its answer has nobody who gives the call up.
  return bench.isBrief === true ? await reading : await waitForDiff(reading);
}

/** What is read meanwhile is kept: the next call goes on from there. */
async function waitForDiff(
  reading: Promise<readonly ChangedText[]>,
): Promise<readonly ChangedText[] | Refused> {
  const waitMs = LIMITS.impactWaitMs.value;
  const texts = await waitAtMost(reading, waitMs);
  if (texts !== null) return texts;
  const message = `The working diff is still being read after ${waitMs / 1_000} s: files are large`;
  return {
    kind: "refused",
    problems: [toProblem("diff_not_ready", message, {
      at: "diff",
      hint: say`${SAME_CALL} again, the reading goes on; or name the files in \`${
        argument("target_files")
      }\`.`,
    })],
  };
}
