/**
 * The command `session accept`: a person, at a terminal, accepts a session file whose seal is
 * wrong.
 */
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { toRefusal } from "../../base/reply.ts";
import type { LoadOutcome, SessionStore } from "../../session/store_api.ts";
import { openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Seals a tampered session again after the person has seen what it holds. */
export const ACCEPT: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel session accept",
  options: [],
  async run(invocation) {
    const reply = await accept(invocation);
    return await printReply("session_accept", reply, invocation);
  },
};

async function accept(invocation: Invocation): Promise<Reply> {
  const { terminal, positionals } = invocation;
  if (!terminal.isInteractive) {
    return refuse("terminal_needed", "Only a person at a terminal can accept a session file", {
      hint: "Ask the person to run `code-intel session accept` in a terminal of their own.",
    });
  }
  const { sessions, verification } = await openServices(invocation);
  const tell = async (what: string) =>
    await verification.trust.noteWord(await verification.readRepositoryKey(), what, "terminal");
  const [id] = positionals;
  const lost = await sessions.listLost();
  const [gone] = id === undefined ? lost : lost.filter((name) => name === id);
  if (gone !== undefined) {
    const reply = await giveUp(sessions, gone, terminal);
    if (reply.ok) await tell(`the end of ${gone}, whose files were gone`);
    return reply;
  }
  const found = id === undefined ? findTampered(await sessions.loadAll()) : await sessions
    .load(id);
  if (found === undefined) return { ok: true, accepted: false, message: "No seal is wrong" };
  if (found.kind === "loaded") return { ok: true, accepted: false, message: "Its seal fits" };
  if (found.kind !== "tampered") return toRefusal([found.problem]);
  const { state } = found.checkpoint;
  await terminal.err(
    `${found.id}: ${state.stage}, ${state.status}`,
    ...state.query.split("\n"),
  );
  if (!await terminal.confirm("The seal of this session does not fit. Go on with it as it is?")) {
    return refuse("not_accepted", "The session file was not accepted; nothing was changed", {
      hint: "Look at the file, or start a new session.",
    });
  }
  const accepted = await sessions.accept(found.id);
  if (accepted.kind !== "loaded") return toRefusal([accepted.problem]);
  await tell(`the file of ${accepted.id}, whose seal did not fit`);
  return { ok: true, accepted: true, session_id: accepted.id, call: "get_session_status" };
}

/**
 * Ends a session that has no file left. What it wrote stays, and counts as the person's from now
 * on.
 */
async function giveUp(
  sessions: SessionStore,
  id: string,
  terminal: Invocation["terminal"],
): Promise<Reply> {
  await terminal.err(
    `${id}: its files are gone; its snapshots are kept (code-intel snapshots ${id})`,
  );
  if (!await terminal.confirm("End this session, and take its files as they are for yours?")) {
    return refuse("not_accepted", "The session was not ended; nothing was changed", {
      hint: `Run \`code-intel restore ${id}\` to bring its files back first.`,
    });
  }
  await sessions.giveUpLost(id);
  return { ok: true, accepted: true, session_id: id, ended: true, call: "start_session" };
}

function findTampered(all: readonly LoadOutcome[]): LoadOutcome | undefined {
  return all.find(({ kind }) => kind === "tampered");
}

function refuse(code: string, message: string, rest: { readonly hint: string }): Reply {
  return toRefusal([toProblem(code, message, rest)]);
}
