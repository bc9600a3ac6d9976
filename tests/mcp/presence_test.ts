/** Who answers a form: a person, or a client by itself. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { AskingCall, CallAsker } from "../../src/mcp/elicitation.ts";
import { createCallAsker, Rounds } from "../../src/mcp/elicitation.ts";
import { isHeadless, Presence } from "../../src/mcp/presence.ts";
import type { Question } from "../../src/base/asker.ts";

const SIGNAL = new AbortController().signal;
const QUESTION: Question = {
  key: "trust 1",
  message: "May the tests run?",
  fields: [{ name: "allow", title: "Run them", type: "boolean", required: true }],
};

/** An action of the client, and the milliseconds after which it comes. */
type Reaction = readonly [action: "accept" | "decline" | "cancel", afterMs: number];

/** A connection whose client reacts to one form after the other. */
function createConnection(
  reactions: readonly Reaction[],
  said: { readonly clientName?: string; readonly env?: string; readonly meta?: unknown } = {},
): { readonly ask: () => Promise<string>; readonly shown: readonly string[] } {
  let now = 0;
  const shown: string[] = [];
  const send = ({ params }: { readonly params: { readonly message: string } }) => {
    const [action, afterMs] = reactions[shown.push(params.message) - 1] ?? ["cancel", 0];
    now += afterMs;
    return Promise.resolve({
      action,
      ...(action === "accept" ? { content: { allow: true } } : {}),
    });
  };
  const call = {
    era: "legacy",
    tool: "submit_phase",
    args: {},
    clientName: said.clientName,
    env: () => said.env,
    elicitation: {},
    mcpReq: { send, _meta: said.meta },
    rounds: new Rounds(),
    presence: new Presence({ now: () => new Date(now) }),
  } as unknown as AskingCall;
  const ask = async () => (await (await createCallAsker(call)).ask(QUESTION, SIGNAL)).kind;
  return { ask, shown };
}

const ROWS: readonly (readonly [name: string, reactions: readonly Reaction[], kinds: string])[] = [
  ["a client that cancels at once, each time", [["cancel", 3], ["cancel", 3]], "unavailable"],
  ["a client that declines at once, each time", [["decline", 999], ["decline", 0]], "unavailable"],
  ["a person who declines", [["decline", 1000]], "declined"],
  ["a person who closes the form", [["cancel", 60_000]], "unanswered"],
  ["a person whose key met the form, and who declines then", [
    ["cancel", 10],
    ["decline", 4000],
  ], "declined"],
  ["a person whose key met the form, and who agrees then", [
    ["decline", 10],
    ["accept", 20],
  ], "answered"],
  ["a person who agrees at once", [["accept", 5]], "answered"],
];

for (const [name, reactions, kind] of ROWS) {
  Deno.test(`createCallAsker() hears ${name}: ${kind}`, async () => {
    const connection = createConnection(reactions);
    equal(await connection.ask(), kind);
    equal(connection.shown.length, reactions.length);
  });
}

Deno.test("createCallAsker() takes the quick refusals of a person who has answered before", async () => {
  for (const first of [["accept", 5], ["cancel", 5000]] as const) {
    const connection = createConnection([first, ["decline", 100], ["decline", 100]]);
    await connection.ask();
    deepEqual([await connection.ask(), await connection.ask()], ["declined", "declined"]);
    equal(connection.shown.length, 3);
  }
});

const TURN = "x-codex-turn-metadata";
const SAID = [
  ["claude -p", { clientName: "claude-code", env: "sdk-cli" }, true],
  ["a window of Claude Code", { clientName: "claude-code", env: "cli" }, false],
  ["another client below claude -p", { clientName: "other", env: "sdk-cli" }, false],
  ["codex exec", {
    clientName: "codex-mcp-client",
    meta: { [TURN]: { turn_trigger: "exec" } },
  }, true],
  ["a window of Codex", { clientName: "codex-mcp-client", meta: { [TURN]: {} } }, false],
  ["Codex of another version", { clientName: "codex-mcp-client" }, false],
  ["a name that every object has", { clientName: "constructor" }, false],
  ["no name", {}, false],
] as const;

for (const [name, said, expected] of SAID) {
  Deno.test(`isHeadless() is ${expected} for ${name}, which is ${expected ? "not " : ""}asked`, async () => {
    const env = (key: string) =>
      key === "CLAUDE_CODE_ENTRYPOINT" && "env" in said ? said.env : undefined;
    const { clientName } = { clientName: undefined, ...said };
    const meta = "meta" in said ? said.meta : undefined;
    equal(isHeadless({ clientName, env, meta }), expected);
    const connection = createConnection([["accept", 5000]], said);
    equal(await connection.ask(), expected ? "unavailable" : "answered");
    equal(connection.shown.length, expected ? 0 : 1);
  });
}

/** The clock of the modern rounds; each call is a connection's next request. */
let time = 0;
const PRESENCE = () => new Presence({ now: () => new Date(time) });

/** A call of a later client, which brings the answer with the repeated call. */
async function callModern(
  rounds: Rounds,
  sent: { readonly state?: string | undefined; readonly action?: string },
): Promise<{ readonly asker: CallAsker; readonly kind: string }> {
  const inputResponses = sent.action === undefined
    ? undefined
    : { [QUESTION.key]: { action: sent.action, content: { allow: true } } };
  const call = {
    era: "modern",
    tool: "submit_phase",
    args: {},
    env: () => undefined,
    mcpReq: {
      envelope: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } },
      requestState: () => sent.state,
      inputResponses,
    },
    rounds,
    presence: PRESENCE(),
  } as unknown as AskingCall;
  const asker = await createCallAsker(call);
  return { asker, kind: (await asker.ask(QUESTION, SIGNAL)).kind };
}

for (
  const [afterMs, kinds] of [
    [10, ["input_required", "input_required", "unavailable"]],
    [5000, ["input_required", "declined"]],
  ] as const
) {
  Deno.test(`modern: a form refused after ${afterMs} ms each time: ${kinds.join(", ")}`, async () => {
    const rounds = new Rounds();
    const heard: string[] = [];
    let state: string | undefined;
    for (const _ of kinds) {
      const action = state === undefined ? {} : { action: "decline" };
      const { asker, kind } = await callModern(rounds, { state, ...action });
      heard.push(kind);
      state = asker.open?.requestState;
      time += afterMs;
    }
    deepEqual(heard, kinds);
  });
}
