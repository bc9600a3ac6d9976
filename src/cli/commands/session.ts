/** The commands `session submit`, `park`, `resume` and `abandon`: what a person or CI does to a session. */
import { CodeIntelError } from "../../base/errors.ts";
import { answerWithTool, openServices } from "../answer.ts";
import type { Command, Invocation, OptionRow } from "../command.ts";
import { readNamedFile } from "../named_file.ts";

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
    return await answerWithTool("submit_phase", toInput(text), invocation);
  },
};

/** The arguments of the tool: of a list the first payload, and as `then` those of the next steps. */
function toInput(text: string): Readonly<Record<string, unknown>> {
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
