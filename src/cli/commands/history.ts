/** The command `history`: who changed a file, lines or a symbol last and why, and which files change most. */
import { join } from "node:path";
import { answerWithTool } from "../answer.ts";
import type { Command } from "../command.ts";
import { renderHistory } from "../history_text.ts";

const PATTERN = /[*?[{]|\/$/;

/** Asks the repository's past through the tool `query`. */
export const HISTORY: Command = {
  usage: "[FILE[:LINES]]",
  positionals: [0, 1],
  example: "code-intel history src/auth.ts:10-20",
  options: [
    { name: "symbol", kind: "text", value: "NAME", summary: "The lines that define a symbol" },
    {
      name: "under",
      kind: "text",
      value: "PATH",
      summary: "Which files of a folder or glob change most",
    },
    { name: "max-results", kind: "number", value: "N", summary: "Most files that are listed" },
  ],
  async run(invocation) {
    const { options, positionals: [file], projectDir } = invocation;
    // `src/` and `src/**` are no file, while `[id].tsx` may be one; without anything the whole project is asked about.
    const isPattern = file !== undefined && PATTERN.test(file) &&
      await Deno.stat(join(projectDir, file)).then(({ isFile }) => !isFile, () => true);
    const under = options["under"] ?? (isPattern ? file : undefined);
    const { symbol, "max-results": max } = options;
    return await answerWithTool(
      "query",
      {
        question: "What does the past say of it?",
        past: true,
        ...(file === undefined || isPattern ? {} : { file_path: file }),
        ...(symbol === undefined ? {} : { symbol }),
        ...(under === undefined ? {} : { path: under }),
        ...(max === undefined ? {} : { max_results: max }),
      },
      invocation,
      renderHistory,
    );
  },
};
