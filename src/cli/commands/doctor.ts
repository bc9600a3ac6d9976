/** The command `doctor`: checks what the program needs and says how to mend what is broken. */
import { toCheckReport } from "../checks.ts";
import type { Command } from "../command.ts";

/** Runs every check; fails when something that is needed is broken. */
export const DOCTOR: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel doctor --project ~/work/app",
  options: [],
  async run({ projectDir, isJson, terminal }) {
    const checks = await toCheckReport(projectDir);
    const isBroken = checks.some(({ level }) => level === "broken");
    if (isJson) {
      await terminal.out(`${JSON.stringify({ ok: !isBroken, checks })}\n`);
      return isBroken ? 1 : 0;
    }
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, level, detail, hint } of checks) {
      const mark = terminal.paint(level.padEnd(6), level === "broken" ? "problem" : "faint");
      await terminal.out(`${mark}  ${name.padEnd(width)}  ${detail}\n`);
      if (hint !== undefined) await terminal.out(`${" ".repeat(width + 10)}${hint}\n`);
    }
    return isBroken ? 1 : 0;
  },
};
