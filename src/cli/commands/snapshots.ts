/**
 * The command `snapshots`: lists the states of files that can be brought back, and the kept
 * branches.
 */
import type { OkReply, Reply } from "../../base/reply.ts";
import { refuse } from "../../base/reply.ts";
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { Repository } from "../../git/repository.ts";
import { toProjectPath } from "../../git/repository.ts";
import type { SnapshotSession } from "../../git/snapshots/snapshot_list.ts";
import { countChangedFiles, listSnapshotSessions } from "../../git/snapshots/snapshot_list.ts";
import { listKeptBranches } from "../../git/branches/own_refs.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import type { SessionStore } from "../../session/store_api.ts";
import { isSessionId } from "../../session/session.ts";
import type { CopyDeps } from "../../project/copies.ts";
import { listCopies } from "../../project/copies.ts";
import { renderReply } from "../render.ts";
import { openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Lists the snapshots of a session; by default of the one that was worked on last. */
export const SNAPSHOTS: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel snapshots",
  options: [{
    name: "branches",
    kind: "flag",
    summary: "List the deleted task branches that restore --branch brings back",
  }],
  async run(invocation) {
    const isBranches = invocation.options["branches"] === true;
    const { restoreDeps, copyDeps } = await (await openServices(invocation)).openMaintenance();
    const repo = await restoreDeps.openRepo(invocation.positionals[0]);
    const reply = isBranches && (repo === null || repo.isPrivate === true)
      ? refuseWithoutGit()
      : repo !== null
      ? await list(repo, invocation, restoreDeps.store)
      : await listAllCopies(copyDeps, invocation.positionals[0]);
    const kind = isBranches ? "kept_branches" : repo === null ? "copies" : "snapshots";
    return await printReply(kind, reply, invocation, (ok, page) => [
      ...renderReply(kind, ok, page),
      ...formatOthers(ok).map((line) => page.paint(`(${line})`, "faint")),
    ]);
  },
};

/** The other sessions, each in a line. */
function formatOthers({ other_sessions: others }: OkReply): readonly string[] {
  if (!Array.isArray(others)) return [];
  return others.map(({ session_id: id, snapshots, copies, newest_at: at }) =>
    snapshots === undefined
      ? `also ${id}: ${formatCount(copies, "copy", "copies")} of ${formatTime(at)}`
      : `also ${id}: ${formatCount(snapshots, "snapshot")}, the last of ${formatTime(at)}`
  );
}

async function list(
  repo: Repository,
  invocation: Invocation,
  store: SessionStore,
): Promise<Reply> {
  if (invocation.options["branches"] === true) {
    const branches = await listKeptBranches(repo);
    return { ok: true, total: branches.length, branches };
  }
  const sessions = await listSnapshotSessions(repo);
  const id = invocation.positionals[0] ?? await findDefault(sessions, store);
  const snapshots = id === undefined || !sessions.some(({ sessionId }) => sessionId === id)
    ? []
    : await listSnapshots(repo, id);
  const counts = await countChangedFiles(repo, snapshots);
  const others = sessions.filter(({ sessionId }) => sessionId !== id);
  return {
    ok: true,
    total: snapshots.length,
    session_id: id ?? null,
    snapshots: snapshots.map(({ number, at, label, large, unreadable }, index) => ({
      number,
      at,
      label,
      changed_files: counts[index] ?? 0,
      ...(large.length === 0 ? {} : {
        recorded_by_hash_only: large.map(({ path }) => toProjectPath(repo, path)),
      }),
      ...(unreadable.length === 0 ? {} : {
        unreadable: unreadable.map((path) => toProjectPath(repo, path)),
      }),
    })),
    other_sessions: others.map(({ sessionId, count, newestAt }) => ({
      session_id: sessionId,
      snapshots: count,
      newest_at: newestAt,
    })),
    notices: [
      ...(id === undefined
        ? []
        : snapshots.length === 0
        ? [`no snapshot of ${id} is kept`]
        : [`session ${id}; code-intel restore ${id} --to N brings it back`]),
    ],
  };
}

/** Lists the files that have a copy, where there are no snapshots; by default of the session with the newest copy. */
async function listAllCopies(
  { backupDir }: CopyDeps,
  wanted: string | undefined,
): Promise<Reply> {
  const sets = await listCopies(backupDir);
  const id = wanted ?? sets[0]?.name;
  const paths = sets.find(({ name }) => name === id)?.paths ?? [];
  const others = sets.filter(({ name }) => name !== id);
  return {
    ok: true,
    total: paths.length,
    session_id: id ?? null,
    copies: paths.map((path) => ({ path })),
    other_sessions: others.map(({ name, paths, at }) => ({
      session_id: name,
      copies: paths.length,
      newest_at: at,
    })),
    notices: [
      "without git only files that were cleared for writing have a copy, as they were before the first write",
      ...(paths.length === 0 ? [] : [`code-intel restore ${id} [PATH...] brings them back`]),
    ],
  };
}

/**
 * The active session, else the one that was worked on last; snapshots of clean-ups are no
 * session's.
 */
async function findDefault(
  sessions: readonly SnapshotSession[],
  store: SessionStore,
): Promise<string | undefined> {
  const active = await store.findActive();
  const own = sessions.filter(({ sessionId }) => isSessionId(sessionId));
  const found = own.find(({ sessionId }) => sessionId === active?.id) ?? own[0] ?? sessions[0];
  return found?.sessionId;
}

/** The refusal of a command that needs a repository. */
export function refuseWithoutGit(): Reply {
  return refuse("git_required", "The project is in no git repository", {
    hint: "Branches are kept by git: run `git init` and make a first commit.",
  });
}
