/** The command `restore`: a person, at a terminal, takes files or a branch back to a kept state. */
import { formatTime, quoteShellWord } from "../../base/text/plain_text.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { Repository } from "../../git/repository.ts";
import { listKeptBranches, restoreBranch } from "../../git/branches/own_refs.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import type { CopyDeps, CopyPlan } from "../../project/copies.ts";
import { applyCopies, listCopies, planCopies } from "../../project/copies.ts";
import type { RestoreDeps, RestorePlan } from "../../project/restore.ts";
import { applyRestore, planRestore } from "../../project/restore.ts";
import { isSessionId } from "../../session/session.ts";
import { openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";
import { refuseWithoutGit } from "./snapshots.ts";

/** Brings files back from a snapshot; the present state is kept in a snapshot of its own. */
export const RESTORE: Command = {
  usage: "[SESSION] [PATH...]",
  positionals: [0, 1000],
  example: "code-intel restore session_20261121_101500_3fa9 --to 3 src/auth.ts",
  options: [
    {
      name: "to",
      kind: "number",
      value: "N",
      summary: "Number of the snapshot (default: the first, the start of the session)",
    },
    { name: "exact", kind: "flag", summary: "Also delete the files that the snapshot lacks" },
    { name: "dry-run", kind: "flag", summary: "Only show what would be written and deleted" },
    { name: "branch", kind: "text", value: "NAME", summary: "Make this deleted branch again" },
  ],
  async run(invocation) {
    const reply = await restore(invocation);
    const exitCode = await printReply("restore", reply, invocation);
    return reply.ok ? 0 : exitCode;
  },
};

async function restore(invocation: Invocation): Promise<Reply> {
  const { options, positionals } = invocation;
  const isDry = options["dry-run"] === true;
  const wantsBranch = options["branch"] !== undefined;
  if (wantsBranch === positionals.length > 0) {
    return refuse("bad_usage", "Name a session, or a branch with --branch", {
      hint: "`code-intel snapshots` lists the sessions, with --branches the branches.",
    });
  }
  if (!isDry && !invocation.terminal.isInteractive) {
    return refuse("terminal_needed", "Only a person at a terminal can restore", {
      hint: "Ask the person to run the same line in a terminal; --dry-run shows what it would do.",
    });
  }
  const { restoreDeps, copyDeps } = await (await openServices(invocation)).openMaintenance();
  const repo = await restoreDeps.openRepo(positionals[0]);
  if (wantsBranch) {
    return repo === null || repo.isPrivate === true
      ? refuseWithoutGit()
      : await bringBranchBack(repo, invocation);
  }
  return await hasSnapshots(repo, copyDeps, positionals[0] ?? "")
    ? await bringFilesBack(restoreDeps, invocation)
    : await bringCopiesBack(copyDeps, invocation);
}

/**
 * Whether there are snapshots to restore from. For files that no snapshot has, copies are used.
 */
async function hasSnapshots(
  repo: Repository | null,
  { backupDir }: CopyDeps,
  name: string,
): Promise<boolean> {
  if (repo === null) return false;
  const isCopied = (await listCopies(backupDir)).some((set) => set.name === name);
  return !isCopied || (isSessionId(name) && (await listSnapshots(repo, name)).length > 0);
}

async function bringCopiesBack(deps: CopyDeps, invocation: Invocation): Promise<Reply> {
  const { options, positionals, projectDir, terminal } = invocation;
  if (options["to"] !== undefined || options["exact"] === true) {
    return refuse("bad_usage", "Without snapshots there are neither numbers nor exact states", {
      hint: "Leave --to and --exact out: each file has one copy, as it was before the first write.",
    });
  }
  const [name = "", ...paths] = positionals;
  const result = await planCopies(deps, { name, paths, from: projectDir });
  if (result.kind === "refused") return buildRefusal([result.problem]);
  const { plan } = result;
  const facts = { session_id: name, copied_at: plan.set.at };
  if (options["dry-run"] === true) return { ok: true, ...facts, would_write: plan.writes };
  if (plan.writes.length === 0) {
    return { ok: true, ...facts, written: [], message: "All is as it was then" };
  }
  await terminal.err(...formatCopyPreview(plan));
  if (!await terminal.confirm("Do it? What is there now is copied first.")) {
    return refuse("not_confirmed", "Nothing was changed", {
      hint: "--dry-run shows all that would be written.",
    });
  }
  const before = await applyCopies(deps, plan);
  return {
    ok: true,
    ...facts,
    written: plan.writes,
    ...(before === null ? {} : { undo: `code-intel restore ${before}` }),
  };
}

function formatCopyPreview({ set, writes }: CopyPlan): readonly string[] {
  const lines = writes.slice(0, SHOWN).map((path) => `  write   ${JSON.stringify(path)}`);
  const more = writes.length > SHOWN ? [`  and ${writes.length - SHOWN} more`] : [];
  return [`Copies of ${set.name}, ${formatTime(set.at)}:`, ...lines, ...more];
}

async function bringFilesBack(deps: RestoreDeps, invocation: Invocation): Promise<Reply> {
  const { options, positionals, projectDir, terminal } = invocation;
  const [sessionId = "", ...paths] = positionals;
  const to = options["to"];
  const result = await planRestore(deps, {
    sessionId,
    paths,
    from: projectDir,
    exact: options["exact"] === true,
    ...(typeof to === "number" ? { to } : {}),
  });
  if (result.kind === "refused") return buildRefusal([result.problem]);
  const { plan } = result;
  const facts = buildFields(plan);
  const { toNamed } = plan;
  const removes = plan.exact ? plan.surplus : [];
  if (options["dry-run"] === true) {
    const would = { would_write: plan.writes.map(toNamed), would_remove: removes.map(toNamed) };
    return { ok: true, ...facts, ...would };
  }
  if (plan.writes.length + removes.length === 0) {
    return { ok: true, ...facts, written: [], removed: [], message: "All is as it was then" };
  }
  await terminal.err(...formatPreview(plan));
  if (!await terminal.confirm("Do it? The present state is kept in a snapshot.")) {
    return refuse("not_confirmed", "Nothing was changed", {
      hint: "--dry-run shows all that would be written and deleted.",
    });
  }
  const { written, removed, before, keptAs, bookedIn } = await applyRestore(deps, plan);
  return {
    ok: true,
    ...facts,
    written: written.map(toNamed),
    removed: removed.map(toNamed),
    ...(bookedIn === null ? {} : { booked_to_person_in: bookedIn }),
    undo: `code-intel restore ${
      [sessionId, "--to", before, "--exact", ...paths.map(quoteShellWord)].join(" ")
    }`,
    ...(keptAs === null ? {} : {
      ignored_or_large_kept_as: keptAs,
      bring_back: `${formatGitCommand(plan.repo)} restore --source=${keptAs} -- PATH`,
    }),
  };
}

function buildFields({ sessionId, snapshot, surplus, hashOnly, exact, toNamed }: RestorePlan) {
  return {
    session_id: sessionId,
    snapshot: { number: snapshot.number, at: snapshot.at, label: snapshot.label },
    ...(exact || surplus.length === 0 ? {} : { not_in_snapshot: surplus.map(toNamed) }),
    ...(hashOnly.length === 0 ? {} : { recorded_by_hash_only: hashOnly.map(toNamed) }),
  };
}

/** How a person calls git on the repository that has the snapshots. */
function formatGitCommand({ isPrivate, gitDir, worktree }: Repository): string {
  if (isPrivate !== true) return "git";
  return `git --git-dir=${quoteShellWord(gitDir)} --work-tree=${quoteShellWord(worktree)}`;
}

const SHOWN = 20;

function formatPreview(
  { snapshot, writes, surplus, exact, toNamed }: RestorePlan,
): readonly string[] {
  const toLine = (verb: string) => (path: string) => `${verb} ${JSON.stringify(toNamed(path))}`;
  const lines = [
    ...writes.map(toLine("  write  ")),
    ...(exact ? surplus.map(toLine("  delete ")) : []),
  ];
  const more = lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more`] : [];
  const { number, at, label } = snapshot;
  const heading = `Snapshot ${number}, ${formatTime(at)}, ${label}:`;
  return [heading, ...lines.slice(0, SHOWN), ...more];
}

async function bringBranchBack(repo: Repository, invocation: Invocation): Promise<Reply> {
  const { options, terminal } = invocation;
  const name = String(options["branch"]);
  // The newest kept tip is restored; an older one has to be named by its ref.
  const kept = (await listKeptBranches(repo))
    .find(({ branch, ref }) => branch === name || ref === name);
  if (kept === undefined) {
    return refuse("not_kept", `No deleted branch is kept as "${name}"`, {
      hint: "`code-intel snapshots --branches` lists them.",
    });
  }
  const facts = { branch: kept.branch, tip: kept.tip, subject: kept.subject, deleted_at: kept.at };
  if (options["dry-run"] === true) return { ok: true, would_make: facts };
  await terminal.err(`${kept.branch} at ${kept.tip.slice(0, 12)}: ${kept.subject}`);
  if (!await terminal.confirm("Make this branch again?")) {
    return refuse("not_confirmed", "Nothing was changed", { hint: "Its tip stays kept." });
  }
  const result = await restoreBranch(repo, kept);
  if (result.kind === "refused") return buildRefusal([result.problem]);
  return { ok: true, restored: result.kind === "restored", ...facts };
}
