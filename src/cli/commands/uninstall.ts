/** The command `uninstall`: takes out what `init` put in, byte for byte. */
import { toProblem } from "../../base/problem.ts";
import { toRefusal } from "../../base/reply.ts";
import { glanceSessions } from "../../clients/mod.ts";
import type { PlannedUndo } from "../../project/mod.ts";
import { applyRemoval, planRemoval } from "../../project/mod.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";
import { findFolder, toHome, toSetupProblems } from "../setup_target.ts";
import { printRefusal, toSessionRefusal } from "./init.ts";

/** Removes what `init` added; with `--purge` also sessions, index, logs and what was edited since. */
export const UNINSTALL: Command = {
  usage: "[DIR]",
  positionals: [0, 1],
  example: "code-intel uninstall --dry-run",
  options: [
    { name: "dry-run", kind: "flag", summary: "Only show what would be done" },
    {
      name: "purge",
      kind: "flag",
      summary: "Also what was edited since, and sessions, logs and index",
    },
  ],
  async run(invocation) {
    const { options } = invocation;
    const root = await findFolder(invocation);
    const isPurge = options["purge"] === true;
    const unfinished = (await glanceSessions(`${root}/.code-intel`))
      .find(({ status }) => status === "active" || (isPurge && status !== "ended"));
    if (unfinished !== undefined && options["dry-run"] !== true) {
      return await printRefusal(invocation, toSessionRefusal(unfinished.id));
    }
    const plan = await planRemoval({ root, home: toHome(), isPurge });
    if (plan === null) return await printRefusal(invocation, toNothing(root));
    const files = options["dry-run"] === true ? plan.files : await applyRemoval(plan);
    return await printResult(invocation, root, files);
  },
};

function toNothing(root: string) {
  return toRefusal([
    toProblem("not_set_up", `${root} was not set up by code-intel init`, {
      hint:
        "Name the project: code-intel uninstall DIR. Where only .code-intel/manifest.json is gone, bring it back from git.",
    }),
  ]);
}

const DONE: Readonly<Record<PlannedUndo["action"], string>> = {
  remove: "removed",
  clean: "cleaned",
  keep: "kept",
  refuse: "REFUSED",
  gone: "gone",
};

async function printResult(
  { terminal, isJson, options }: Invocation,
  root: string,
  files: readonly PlannedUndo[],
): Promise<ExitCode> {
  const isDry = options["dry-run"] === true;
  const problems = toSetupProblems(files);
  if (isJson) {
    const rows = files.map(({ path, action, reason, hint }) => ({
      path,
      action,
      ...(reason === null ? {} : { reason }),
      ...(hint === null ? {} : { hint }),
    }));
    const head = { ok: problems.length === 0, dry_run: isDry, project: root };
    await terminal.out(`${JSON.stringify({ ...head, files: rows, problems })}\n`);
    return problems.length === 0 ? 0 : 1;
  }
  for (const { path, action, reason, hint } of files.filter((file) => file.action !== "gone")) {
    const mark = terminal.paint(
      (isDry ? action : DONE[action]).padEnd(7),
      action === "refuse" ? "problem" : "faint",
    );
    await terminal.out(`${mark}  ${path}${reason === null ? "" : `: ${reason}`}\n`);
    if (hint !== null) await terminal.out(`${" ".repeat(9)}${hint}\n`);
  }
  if (isDry) await terminal.out("\nNothing was changed. Run it again without --dry-run.\n");
  return problems.length === 0 ? 0 : 1;
}
