/**
 * The command `outcome`: a person says how a piece of work turned out, and which learned term they name. No code is changed.
 */
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { Services } from "../../services/services_api.ts";
import { buildPlainRefusal } from "../../workflow/context/replies.ts";
import type { SaveResult } from "./agreement_folder.ts";
import type { HandOutcome, ProjectLearning } from "./learning.ts";
import { findLastWork } from "./outcome_log.ts";
import { omitUndefined } from "../../base/text/json_record.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { openServices, printReply } from "../../cli/answer.ts";
import type { Command, OptionValues } from "../../cli/command.ts";
import { openProjectLearning } from "./open_learning.ts";

/** The input of `code-intel outcome`. */
export interface OutcomeInput extends HandOutcome {
  /** Default: the active session, else the last finished work. */
  readonly sessionId?: string;
}

/** Records what a person says about a piece of work, and the learned term that they name. */
export async function recordOutcome(
  learning: ProjectLearning,
  { sessions: store, workflow, parts: { codeIntelDir, projectRoot } }: Pick<
    Services,
    "sessions" | "workflow" | "parts"
  >,
  input: OutcomeInput,
): Promise<Reply> {
  if (await Deno.stat(codeIntelDir).then(() => false, () => true)) return toNeverUsed(projectRoot);
  const { outcomes } = await learning.readLogs();
  const found = input.sessionId === undefined
    ? await store.findActive()
    : await store.load(input.sessionId);
  const state = found?.kind === "loaded" ? found.checkpoint.state : null;
  const known = outcomes.findLast(({ sessionId }) => sessionId === input.sessionId)?.sessionId;
  if (input.sessionId !== undefined && state === null && known === undefined) {
    return buildPlainRefusal([
      makeProblem("session_not_found", `No session "${input.sessionId}" is on record`, {
        at: "session",
        hint: "`code-intel stats --json` lists the last sessions.",
      }),
    ], "get_session_status");
  }
  // A start that was given up is meant only where nothing else is on record.
  const last = findLastWork(outcomes) ?? outcomes.at(-1);
  const sessionId = input.sessionId ?? state?.sessionId ?? last?.sessionId ?? null;
  const agreement = await learning.toHandAgreement(input, sessionId);
  const write = async (): Promise<Reply> => {
    const kept = agreement === null ? null : await learning.keepAgreement(agreement);
    const { recordId } = await learning.recordByHand(input, { sessionId, state });
    return {
      ok: true,
      recorded: recordId,
      session_id: sessionId,
      result: input.result,
      ...(kept === null ? {} : toKeptFields(kept)),
    };
  };
  if (agreement === null) return await write();
  return await workflow.writeAsServer(await learning.toAgreementPath(agreement), write);
}

/** Without the program's folder there was never a session, so there is nothing to record about. */
function toNeverUsed(projectRoot: string): Reply {
  return buildPlainRefusal([
    makeProblem("not_set_up", `${projectRoot} was never set up, and no session ran there`, {
      hint:
        "Nothing was recorded. Name the project that the outcome is about with --project DIR, or set this one up with `code-intel init`.",
    }),
  ], "start_session");
}

function toKeptFields(
  kept: SaveResult,
): Readonly<Record<string, unknown>> {
  switch (kept.kind) {
    case "saved":
    case "known":
      return { agreement: `.code-intel/agreements/${kept.name}` };
    case "rejected":
      return { agreement_rejected: `.code-intel/agreements/${kept.name}` };
    case "full":
      return { agreement_refused: "the folder .code-intel/agreements holds as many as are read" };
  }
}

const RESULTS = ["success", "partial", "failure"] as const;

/**
 * Records an outcome; with `--term` and `--symbol` also what a word in requests means in this
 * project.
 */
export const OUTCOME: Command = {
  usage: "success|partial|failure",
  positionals: [1, 1],
  example: 'code-intel outcome failure --reason "the token never expires" --phase READY_PLAN',
  options: [
    {
      name: "session",
      kind: "text",
      value: "SESSION",
      summary: "Which one (default: the active one, else the last)",
    },
    { name: "reason", kind: "text", value: "TEXT", summary: "The root cause, in one sentence" },
    { name: "phase", kind: "text", value: "PHASE", summary: "Where it went wrong" },
    { name: "symbol", kind: "list", value: "NAME", summary: "A symbol that it was about" },
    { name: "file", kind: "list", value: "PATH", summary: "A file that it was about" },
    {
      name: "term",
      kind: "text",
      value: "WORDS",
      summary: "With success and --symbol: what requests call these symbols; kept as an agreement",
    },
  ],
  async run(invocation) {
    const [word = ""] = invocation.positionals;
    const result = RESULTS.find((known) => known === word);
    if (result === undefined) {
      throw new CodeIntelError("bad_usage", `"${word}" is no outcome`, {
        hint: "Give success, partial or failure.",
      });
    }
    const services = await openServices(invocation);
    const { workflow } = services;
    const learning = await openProjectLearning(services);
    const input = readInput(result, invocation.options);
    const reply = await workflow.tellNotices(await recordOutcome(learning, services, input));
    return await printReply("outcome", reply, invocation);
  },
};

function readInput(result: OutcomeInput["result"], options: OptionValues): OutcomeInput {
  const [session, reason, phase, term] = ["session", "reason", "phase", "term"].map((name) =>
    readText(options[name])
  );
  return {
    result,
    reason: reason ?? null,
    symbols: readTexts(options["symbol"]),
    files: readTexts(options["file"]),
    ...(session === undefined ? {} : { sessionId: session }),
    ...omitUndefined({ phase, term }),
  };
}

function readText(value: OptionValues[string] | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function readTexts(value: OptionValues[string] | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => text.trim() !== "") : [];
}
