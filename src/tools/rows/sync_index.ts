/** The tool `sync_index`: brings the code index up to date. */
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import type { SyncProgress } from "../../index/index_api.ts";
import { findDefinedNames } from "../../explore/meaning/map_hits.ts";
import type { Services } from "../../services/services_api.ts";
import { checkRepoPath, repoPathField } from "../explore_fields.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    path: repoPathField(),
    force: z.boolean().default(false).describe("Build it anew"),
    "sync_map": z.boolean().default(true).describe("Also the agreements; names stale ones"),
  });
}

/** Most pending files that a reply names. */
const NAMED = 20;

/** The row of the tool. */
export const syncIndexTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "sync_index",
  title: "Update the index",
  description:
    "Reads every changed file into the code index; after 30 s `busy` says who goes on. Answers do so themselves: call it when one says files are not known.",
  needs: null,
  hints: { readOnly: false, destructive: false, idempotent: true },
  buildSchema,
  command: { name: "index", summary: "Build the code index, or bring it up to date" },
  example: { force: false },
  async run({ path, force, sync_map: hasMap }, context) {
    const refusal = checkRepoPath(path, context, "path");
    if (refusal !== undefined) return { reply: refusal };
    const { services, signal, progress } = context;
    const report = await services.index.sync({
      signal,
      rebuild: force,
      waitMs: LIMITS.answerMs.value,
      onProgress: (at) => progress(at.done, at.total, formatProgress(at)),
    });
    const { isComplete, read, parsed, removed, pending, durationMs, counts, notices } = report;
    return {
      reply: {
        ok: true,
        complete: isComplete,
        // The process that builds the index in the background, and how far it is.
        ...(report.builder === undefined ? {} : { busy: report.builder }),
        read,
        parsed,
        removed,
        duration_ms: durationMs,
        ...counts,
        ...(hasMap ? await checkMap(services, { isComplete }) : {}),
        ...(pending.length === 0
          ? {}
          : { pending: pending.length, pending_files: pending.slice(0, NAMED) }),
        ...(notices.length === 0 ? {} : { notices }),
      },
    };
  },
};

/** Checks the learned terms (the Map) against the index. */
async function checkMap(
  { openLearning, index }: Services,
  { isComplete }: { readonly isComplete: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  const learning = await openLearning();
  // While the index is incomplete, a file that it does not know yet may define a missing symbol.
  const fields = await learning.checkMap(async (names) =>
    isComplete ? await index.read((view) => findDefinedNames(view, names)) : null
  );
  return fields === null ? {} : { map_sync: fields };
}

/** How far a synchronisation is, in words. */
export function formatProgress(progress: SyncProgress): string {
  const { done, total, filesPerSecond, secondsLeft, process } = progress;
  if (process !== undefined) return `${done} of ${total} files, by process ${process}`;
  return `${done} of ${total} files, ${filesPerSecond} files/s, ${secondsLeft} s left`;
}
