/** The command `uninstall`: takes out what `init` put in, byte for byte. */
import { formatCount } from "../../base/text/plain_text.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { refuse } from "../../base/reply.ts";
import { previewSessions } from "../../hooks/active_session.ts";
import type { PurgeReport } from "../../project/setup/purge_plan.ts";
import { applyPurge, planPurge } from "../../project/setup/purge_plan.ts";
import type { PlannedUndo } from "../../project/setup/uninstall.ts";
import { applyRemoval, planRemoval } from "../../project/setup/uninstall.ts";
import { findProjectRoot } from "../../place/project_root.ts";
import { openServices, printReply } from "../answer.ts";
import { foldAfter } from "../fold.ts";
import { renderForUser } from "../user_words.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";
import { removePlaces } from "../proof_place.ts";
import { findFolder, findHome, makeSetupProblems } from "../setup_target.ts";
import { refuseActiveSession } from "./init.ts";

/** Removes what `init` added; with `--purge` everything else too that the program made here. */
export const UNINSTALL: Command = {
  usage: "[DIR]",
  positionals: [0, 1],
  example: "code-intel uninstall --dry-run",
  options: [
    { name: "dry-run", kind: "flag", summary: "Only show what would be done" },
    {
      name: "purge",
      kind: "flag",
      summary: "Also what was edited since, and all else of the program: sessions, index, refs",
    },
  ],
  async run(invocation) {
    const { options } = invocation;
    const root = await findFolder(invocation);
    const isPurge = options["purge"] === true;
    const isDry = options["dry-run"] === true;
    const refusal = isDry ? null : await checkSessions(invocation, root, isPurge);
    if (refusal !== null) return await printReply("init", refusal, invocation);
    const removal = await planRemoval({ root, home: findHome(), isPurge });
    const hooks = await removePlaces(root, isDry);
    const deps = isPurge
      ? (await (await openServices({ ...invocation, projectDir: root, isNamed: true }))
        .openMaintenance()).purgeDeps
      : null;
    const plan = deps === null || !await isProject(root) ? null : await planPurge(deps);
    const isBare = removal === null && hooks.length === 0;
    if (isBare && (plan === null || plan.removed.length === 0)) {
      return await printReply("init", await replyNothingFound(root), invocation);
    }
    if (isDry) {
      return await printResult(invocation, root, {
        files: [...removal?.files ?? [], ...hooks],
        purge: plan,
      });
    }
    const files = removal === null ? [] : await applyRemoval(removal);
    const isNeeded = files.some(({ action }) => action === "refuse");
    const purge = deps !== null && plan !== null
      ? await applyPurge(deps, plan, { isNeeded })
      : null;
    return await printResult(invocation, root, { files: [...files, ...hooks], purge });
  },
};

/** A folder named inside another project has nothing of its own to purge; a folder that is no project may have an index. */
async function isProject(root: string): Promise<boolean> {
  return await findProjectRoot(root).catch(() => root) === root;
}

/** Unfinished work is removed only when a person agrees, at a terminal. */
async function checkSessions(
  { terminal }: Invocation,
  root: string,
  isPurge: boolean,
): Promise<Reply | null> {
  const unfinished = (await previewSessions(`${root}/.code-intel`))
    .filter(({ status }) => status === "active" || (isPurge && status !== "ended"));
  const [first] = unfinished;
  if (first === undefined) return null;
  if (!isPurge) return refuseActiveSession(first.id);
  const names = unfinished.map(({ id, status }) => `${id} (${status})`).join(", ");
  const question = `Remove unfinished sessions with all their snapshots: ${names}?`;
  if (terminal.isInteractive && await terminal.confirm(question)) return null;
  return refuse(
    "session_unfinished",
    `Unfinished sessions are removed only by a person: ${names}`,
    {
      hint:
        "Finish or abandon them, or run `code-intel uninstall --purge` in a terminal and agree when it asks; --dry-run shows what would go.",
    },
  );
}

async function replyNothingFound(root: string): Promise<Reply> {
  const isUsed = await Deno.stat(`${root}/.code-intel`).then(() => true, () => false);
  const hint = isUsed
    ? "Sessions ran here without it: `code-intel uninstall --purge` removes what they left. Where only .code-intel/manifest.json is gone, bring it back from git."
    : "Name the project: code-intel uninstall DIR.";
  return refuse("not_set_up", `${root} was not set up by code-intel init`, { hint });
}

const DONE: Readonly<Record<PlannedUndo["action"], string>> = {
  remove: "removed",
  clean: "cleaned",
  keep: "kept",
  refuse: "REFUSED",
  gone: "gone",
};

const HINT_INDENT = " ".repeat(9);

interface Outcome {
  readonly files: readonly PlannedUndo[];
  /** What was or would be removed beside the set-up; null without --purge. */
  readonly purge: (Pick<PurgeReport, "removed" | "kept"> & Partial<PurgeReport>) | null;
}

async function printResult(
  invocation: Invocation,
  root: string,
  { files, purge }: Outcome,
): Promise<ExitCode> {
  const { terminal, isJson, options } = invocation;
  const isDry = options["dry-run"] === true;
  const failed = (purge?.problems ?? []).map((message) => makeProblem("io_failed", message));
  const problems = [...makeSetupProblems(files), ...failed];
  const code = problems.length === 0 ? 0 : 1;
  if (isJson) {
    const rows = files.map(({ path, action, reason, hint }) => ({
      path,
      action,
      ...(reason === null ? {} : { reason }),
      ...(hint === null ? {} : { hint }),
    }));
    const head = { ok: problems.length === 0, dry_run: isDry, project: root };
    const rest = purge === null ? {} : { removed: purge.removed, kept: purge.kept };
    await terminal.data(`${JSON.stringify({ ...head, files: rows, ...rest, problems })}\n`);
    return code;
  }
  const place = { columns: terminal.columns, indent: HINT_INDENT };
  for (const { path, action, reason, hint } of files.filter((file) => file.action !== "gone")) {
    const mark = terminal.paint(
      (isDry ? action : DONE[action]).padEnd(7),
      action === "refuse" ? "problem" : "faint",
    );
    await terminal.out(`${mark}  ${path}${reason === null ? "" : `: ${reason}`}`);
    if (hint !== null) {
      await terminal.out(...foldAfter(HINT_INDENT, await renderForUser(hint), place));
    }
  }
  if (purge !== null) await printPurge(invocation, purge);
  for (const { message } of failed) await terminal.out(`FAILED   ${message}`);
  if (isDry) await terminal.out("", "Nothing was changed. Run it again without --dry-run.");
  return code;
}

async function printPurge(
  { terminal, options }: Invocation,
  { removed, kept }: Pick<PurgeReport, "removed" | "kept">,
): Promise<void> {
  const word = options["dry-run"] === true ? "remove" : "removed";
  for (const { what, count, bytes } of removed) {
    const size = bytes === undefined ? "" : `, ${formatCount(bytes, "byte")}`;
    await terminal.out(`${terminal.paint(word.padEnd(7), "faint")}  ${count} ${what}${size}`);
  }
  for (const { what, why } of kept) {
    await terminal.out(`${terminal.paint("kept".padEnd(7), "faint")}  ${what}: ${why}`);
  }
}
