/** What agents suggest about the project's prompts: a Markdown file that people read and prune. */
import { join } from "node:path";
import { clipLine } from "../../base/text/clip.ts";
import { makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { appendOwnFile, checkOwnFile } from "../../base/files/own_folder.ts";
import type { Suggestion } from "../../workflow/context/learning.ts";
import { withLogLock } from "./jsonl_log.ts";

const MAX_CHARS = 2_000;

/**
 * Appends to `suggestions.md` of the folder; a file that is full is turned over.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
 */
export async function appendSuggestion(
  folder: string,
  { sessionId, stage, text }: Suggestion,
  at: string,
): Promise<void> {
  const path = join(folder, "suggestions.md");
  const entry = `- ${at.slice(0, 10)} ${stage} (${sessionId}): ${clipLine(text, MAX_CHARS)}\n`;
  await withLogLock(folder, async () => {
    try {
      checkOwnFile(path);
      const size = await Deno.lstat(path).then((info) => info.size, () => 0);
      const isFull = size >= LIMITS.learningLogBytes.value;
      if (isFull) await Deno.rename(path, join(folder, "suggestions.1.md"));
      const head = size === 0 || isFull ? "# Suggestions of agents about prompts\n\n" : "";
      appendOwnFile(path, new TextEncoder().encode(`${head}${entry}`));
    } catch (cause) {
      throw makeIoError(`write "${path}"`, cause);
    }
  });
}
