/** The command `snapshots`: the states of the files that can be brought back, and the kept branches. */
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { toRefusal } from "../../base/reply.ts";
import type { Repository } from "../../git/mod.ts";
import {
  countChangedFiles,
  listKeptBranches,
  listSnapshots,
  listSnapshotSessions,
} from "../../git/mod.ts";
import { openServices, printReply, toExitCode } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Lists the snapshots of a session, by default of the one that was worked on last. */
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
    const { restoreDeps } = await openServices(invocation.projectDir);
    const repo = await restoreDeps.openRepo();
    const reply = repo === null ? refuseWithoutGit() : await list(repo, invocation);
    await printReply(isBranches ? "kept_branches" : "snapshots", reply, invocation);
    return toExitCode(reply);
  },
};

async function list(repo: Repository, invocation: Invocation): Promise<Reply> {
  if (invocation.options["branches"] === true) {
    const branches = await listKeptBranches(repo);
    return { ok: true, total: branches.length, branches };
  }
  const sessions = await listSnapshotSessions(repo);
  const id = invocation.positionals[0] ?? sessions[0]?.sessionId;
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
      ...(large.length === 0 ? {} : { recorded_by_hash_only: large.map(({ path }) => path) }),
      ...(unreadable.length === 0 ? {} : { unreadable }),
    })),
    other_sessions: others.map(({ sessionId, count, newestAt }) => ({
      session_id: sessionId,
      snapshots: count,
      newest_at: newestAt,
    })),
    notices: [
      ...(id === undefined
        ? []
        : [`session ${id}; code-intel restore ${id} --to N brings it back`]),
      ...others.map(({ sessionId, count, newestAt }) =>
        `also ${sessionId}: ${count} snapshots, the last of ${newestAt}`
      ),
    ],
  };
}

/** The refusal of what needs a repository. */
export function refuseWithoutGit(): Reply {
  const problem = toProblem("git_required", "The project is in no git repository", {
    hint: "Snapshots are kept by git: run `git init` and make a first commit.",
  });
  return toRefusal([problem]);
}
