/** The command `outcome`: a person says how a piece of work turned out. No code is changed. */
import { omitUndefined } from "../../base/omit_undefined.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { openServices, printReply } from "../../cli/answer.ts";
import type { Command, OptionValues } from "../../cli/command.ts";
import { openProjectLearning } from "./open_learning.ts";
import type { OutcomeInput } from "./record_outcome.ts";
import { recordOutcome } from "./record_outcome.ts";

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
    const input = toInput(result, invocation.options);
    const reply = await workflow.tellNotices(await recordOutcome(learning, services, input));
    return await printReply("outcome", reply, invocation);
  },
};

function toInput(result: OutcomeInput["result"], options: OptionValues): OutcomeInput {
  const [session, reason, phase, term] = ["session", "reason", "phase", "term"].map((name) =>
    toText(options[name])
  );
  return {
    result,
    reason: reason ?? null,
    symbols: toTexts(options["symbol"]),
    files: toTexts(options["file"]),
    ...(session === undefined ? {} : { sessionId: session }),
    ...omitUndefined({ phase, term }),
  };
}

function toText(value: OptionValues[string] | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function toTexts(value: OptionValues[string] | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => text.trim() !== "") : [];
}
