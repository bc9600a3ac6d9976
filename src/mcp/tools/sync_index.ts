/** The tool `sync_index`: brings the code index up to date. */
import * as z from "zod";
import type { SyncProgress } from "../../index/mod.ts";
import { checkRepoPath, repoPathField } from "../fields.ts";
import type { ToolRow } from "../tool.ts";

const SCHEMA = z.strictObject({
  path: repoPathField(),
  force: z.boolean().default(false).describe("Hash every file again"),
  "sync_map": z.boolean().default(true).describe("Agreements too"),
});

/** Pending files that a reply names. */
const NAMED = 20;

/** The row of the tool. */
export const syncIndexTool: ToolRow<z.infer<typeof SCHEMA>> = {
  name: "sync_index",
  title: "Update the index",
  description:
    "Reads every changed file into the code index and waits. Answers do so by themselves: call it when one says that files are not known.",
  needs: null,
  hints: { readOnly: false, destructive: false, idempotent: true },
  schema: SCHEMA,
  example: { force: false },
  async run({ path, force }, context) {
    const refusal = checkRepoPath(path, context, "path");
    if (refusal !== undefined) return { reply: refusal };
    const { services, signal, progress } = context;
    const report = await services.index.sync({
      signal,
      force,
      onProgress: (at) => progress(at.done, at.total, toProgressText(at)),
    });
    const { isComplete, read, parsed, removed, pending, durationMs, counts, notices } = report;
    return {
      reply: {
        ok: true,
        complete: isComplete,
        read,
        parsed,
        removed,
        duration_ms: durationMs,
        ...counts,
        ...(pending.length === 0
          ? {}
          : { pending: pending.length, pending_files: pending.slice(0, NAMED) }),
        ...(notices.length === 0 ? {} : { notices }),
      },
    };
  },
};

/** How far a synchronisation is, in words. */
export function toProgressText({ done, total, filesPerSecond, secondsLeft }: SyncProgress): string {
  return `${done} of ${total} files, ${filesPerSecond} files/s, ${secondsLeft} s left`;
}
