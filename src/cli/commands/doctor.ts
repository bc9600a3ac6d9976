/** The command `doctor`: checks what the program needs and says how to mend what is broken. */
import { hasBroken, runDoctor } from "../../project/doctor.ts";
import { openMaintenance } from "../answer.ts";
import type { Command } from "../command.ts";
import { foldBehind, toFailureLines } from "../fold.ts";
import { toPersonWords } from "../person_words.ts";

const COLOURS = { ok: "faint", warn: "warning", broken: "problem" } as const;

/** Runs every check; fails when something that is needed is broken. */
export const DOCTOR: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel doctor --project ~/work/app",
  options: [
    {
      name: "vectors",
      kind: "text",
      value: "FILE",
      summary: "Compare vectors of the model with those of a file instead (for developers)",
    },
  ],
  async run(invocation) {
    const { isJson, terminal, options } = invocation;
    const { vectors } = options;
    if (typeof vectors === "string") {
      const { compareVectors } = await import("./doctor_vectors.ts");
      return await compareVectors(vectors, { isJson, terminal });
    }
    const rows = await runDoctor((await openMaintenance(invocation)).doctorFacts);
    const isBroken = hasBroken(rows);
    if (isJson) {
      await terminal.data(`${JSON.stringify({ ok: !isBroken, checks: rows })}\n`);
      return isBroken ? 1 : 0;
    }
    const width = Math.max(...rows.map(({ title }) => title.length));
    for (const { title, status, detail, fix, error = "" } of rows) {
      const mark = terminal.paint(status.padEnd(6), COLOURS[status]);
      const indent = " ".repeat(width + 10);
      const place = { columns: terminal.columns, indent, firstWidth: indent.length };
      const words = fix === null ? [] : foldBehind(indent, await toPersonWords(fix), place);
      const first = `${mark}  ${title.padEnd(width)}  `;
      const lines = toFailureLines(error, detail).flatMap((line, at) =>
        foldBehind(at === 0 ? first : indent, line, place)
      );
      await terminal.out(...lines, ...words);
    }
    return isBroken ? 1 : 0;
  },
};
