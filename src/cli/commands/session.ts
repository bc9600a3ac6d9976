/** The commands `session submit`, `park`, `resume`, `abandon` and `accept`: what a person or CI does to a session. */
import type { Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { LoadOutcome, SessionStore } from "../../session/store_api.ts";
import { answerWithTool, openServices, printReply, readNamedFile } from "../answer.ts";
import type { Command, Invocation, OptionRow } from "../command.ts";
import { CodeIntelError } from "../../base/errors.ts";

/** Seals a tampered session again after the user has seen what it holds. */
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
    const reply = await endLostSession(sessions, gone, terminal);
    if (reply.ok) await tell(`the end of ${gone}, whose files were gone`);
    return reply;
  }
  const found = id === undefined ? findTampered(await sessions.loadAll()) : await sessions
    .load(id);
  if (found === undefined) return { ok: true, accepted: false, message: "No seal is wrong" };
  if (found.kind === "loaded") return { ok: true, accepted: false, message: "Its seal fits" };
  if (found.kind !== "tampered") return buildRefusal([found.problem]);
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
  if (accepted.kind !== "loaded") return buildRefusal([accepted.problem]);
  await tell(`the file of ${accepted.id}, whose seal did not fit`);
  return { ok: true, accepted: true, session_id: accepted.id, call: "get_session_status" };
}

/**
 * Ends a session that has no file left. What it wrote stays, and counts as the user's from now
 * on.
 */
async function endLostSession(
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

const REASON: OptionRow = { name: "reason", kind: "text", value: "TEXT", summary: "Why" };
const DEFAULT_REASON = "asked for on the command line";

/** Submits a payload from the argument, a file or standard input. */
export const SUBMIT: Command = {
  usage: "[JSON|-]",
  positionals: [0, 1],
  example: `code-intel session submit '{"choice": "continue", "summary": "…", "tools_used": []}'`,
  options: [{ name: "file", kind: "text", short: "f", value: "FILE", summary: "Read the payload" }],
  async run(invocation) {
    const text = await readPayload(invocation);
    return await answerWithTool("submit_phase", parseInput(text), invocation);
  },
};

/** The arguments of the tool: of a list the first payload, and as `then` those of the next steps. */
function parseInput(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.length > 0) return { data: value[0], then: value.slice(1) };
  } catch {
    // What is no JSON is refused with the reason by the tool itself.
  }
  return { data: text };
}

/** Sets the active session aside. */
export const PARK: Command = {
  usage: "",
  positionals: [0, 0],
  example: `code-intel session park --reason "a hotfix comes first"`,
  options: [REASON],
  run: (invocation) => submit({ park: true }, invocation),
};

/** Continues a parked session: the named one, or the only one; of several it shows the list. */
export const RESUME: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel session resume session_20261121_101500_3fa9",
  options: [],
  async run(invocation) {
    const id = invocation.positionals[0] ?? await findOnlyParked(invocation);
    return await answerWithTool(
      "get_session_status",
      id === undefined ? {} : { session_id: id },
      invocation,
    );
  },
};

/** The id of the parked session, where there is exactly one and no session is active. */
async function findOnlyParked(invocation: Invocation): Promise<string | undefined> {
  const { sessions, close } = await openServices(invocation);
  const all = (await sessions.loadAll()).filter((outcome) =>
    outcome.kind !== "loaded" || outcome.checkpoint.state.status !== "ended"
  );
  await close();
  const [only, ...others] = all;
  return only?.kind === "loaded" && others.length === 0 ? only.id : undefined;
}

/** Ends the active session without a merge. */
export const ABANDON: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel session abandon --restore",
  options: [REASON, {
    name: "restore",
    kind: "flag",
    summary: "Also take the files back to the start (a snapshot keeps them)",
  }],
  run: (invocation) =>
    submit({ abandon: true, restore: invocation.options["restore"] === true }, invocation),
};

async function submit(
  data: Readonly<Record<string, unknown>>,
  invocation: Invocation,
) {
  const reason = invocation.options["reason"] ?? DEFAULT_REASON;
  return await answerWithTool("submit_phase", { data: { ...data, reason } }, invocation);
}

async function readPayload({ options, positionals, terminal }: Invocation): Promise<string> {
  const [given] = positionals;
  const file = options["file"];
  if ((given === undefined) === (file === undefined)) {
    throw new CodeIntelError("bad_usage", "Give the payload once: as JSON, as --file, or as -", {
      hint: "Run `code-intel session submit --help` for an example.",
    });
  }
  if (typeof file === "string" && file !== "-") {
    return readNamedFile(file);
  }
  return given === undefined || given === "-" ? await terminal.readInput() : given;
}
