/**
 * A model on 127.0.0.1 that plays a scripted agent, for real clients: it speaks the three protocols by which they
 * reach their models (Anthropic Messages, OpenAI Responses, OpenAI Chat Completions), each as a stream.
 */

/** What the agent does in one turn. */
export type AgentCall =
  /** A tool of the server, without the client's prefix. */
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  /** A command line of the client's own shell. */
  | { readonly shell: string };

/** A turn of the script, from the text of the results of the turn before; null ends the work. */
export type Turn = (results: string) => readonly AgentCall[];

/** A call in the client's words. */
interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** How one protocol asks, and how it is answered. */
interface Protocol {
  readonly path: RegExp;
  /** Text of the results that the newest request brings. */
  readonly readResults: (body: Json) => string;
  /** The events of the answer, as they stand in the stream. */
  readonly answer: (calls: readonly WireCall[], text: string) => readonly string[];
}

const MODEL = "scripted";

function toEvent(type: string, data: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The last rows of a list that satisfy a condition, as one text. */
function readTail(rows: readonly Json[], isResult: (row: Json) => boolean): string {
  const last = rows.findLastIndex((row) => !isResult(row));
  return JSON.stringify(rows.slice(last + 1));
}

const ANTHROPIC: Protocol = {
  path: /\/v1\/messages$/,
  readResults: ({ messages }) => readTail(listOf(messages), ({ role }) => role !== "assistant"),
  answer(calls, text) {
    const blocks = [
      { start: { type: "text", text: "" }, delta: { type: "text_delta", text } },
      ...calls.map(({ id, name, input }) => ({
        start: { type: "tool_use", id, name, input: {} },
        delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
      })),
    ];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: "m",
      type: "message",
      role: "assistant",
      model: MODEL,
      content: [],
      usage,
    };
    return [
      toEvent("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } }),
      ...blocks.flatMap(({ start, delta }, index) => [
        toEvent("content_block_start", { index, content_block: start }),
        toEvent("content_block_delta", { index, delta }),
        toEvent("content_block_stop", { index }),
      ]),
      toEvent("message_delta", {
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
        usage,
      }),
      toEvent("message_stop", {}),
    ];
  },
};

const RESPONSES: Protocol = {
  path: /\/responses$/,
  readResults: ({ input }) => readTail(listOf(input), ({ type }) => /_output$/.test(String(type))),
  answer(calls, text) {
    const content = [{ type: "output_text", text, annotations: [] }];
    const output: readonly Json[] = [
      { type: "message", id: "m", role: "assistant", status: "completed", content },
      ...calls.map(({ id, input, ...names }) => ({
        type: "function_call",
        id: `f${id}`,
        call_id: id,
        ...names,
        arguments: JSON.stringify(input),
        status: "completed",
      })),
    ];
    const response = { id: "r", output };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    return [
      toEvent("response.created", { response: { id: "r", status: "in_progress", output: [] } }),
      ...output.flatMap((item, output_index) => [
        toEvent("response.output_item.added", { output_index, item }),
        toEvent("response.output_item.done", { output_index, item }),
      ]),
      toEvent("response.completed", { response: { ...response, status: "completed", usage } }),
    ];
  },
};

const CHAT: Protocol = {
  path: /\/chat\/completions$/,
  readResults: ({ messages }) => readTail(listOf(messages), ({ role }) => role === "tool"),
  answer(calls, text) {
    const toChunk = (delta: Json, finish_reason: string | null) => {
      const choices = [{ index: 0, delta, finish_reason }];
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: MODEL, choices };
      return `data: ${JSON.stringify(chunk)}\n\n`;
    };
    const tool_calls = calls.map(({ id, name, input }, index) => ({
      index,
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [
      toChunk({ role: "assistant", content: text }, null),
      ...(tool_calls.length === 0 ? [] : [toChunk({ tool_calls }, null)]),
      toChunk({}, tool_calls.length > 0 ? "tool_calls" : "stop"),
      "data: [DONE]\n\n",
    ];
  },
};

const PROTOCOLS: readonly Protocol[] = [ANTHROPIC, RESPONSES, CHAT];

/** The names of all tools that a request offers. */
function listTools({ tools }: Json): readonly { readonly name: string; readonly in?: string }[] {
  return listOf(tools).flatMap((tool) => {
    const name = String(tool["name"] ?? (tool["function"] as Json | undefined)?.["name"] ?? "");
    return tool["type"] === "namespace"
      ? listOf(tool["tools"]).map((inner) => ({ name: String(inner["name"]), in: name }))
      : [{ name }];
  });
}

/** How each client calls its shell. */
const SHELLS: Readonly<Record<string, (line: string) => Json>> = {
  Bash: (command) => ({ command, description: "scripted" }),
  bash: (command) => ({ command, description: "scripted" }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
};

function findTool(offered: ReturnType<typeof listTools>, tool: string) {
  return offered.find(({ name }) => new RegExp(`(?:^|_)${tool}$`).test(name));
}

function toWire(call: AgentCall, offered: ReturnType<typeof listTools>, id: string): WireCall {
  if ("shell" in call) {
    const name = Object.keys(SHELLS).find((shell) => offered.some((tool) => tool.name === shell));
    if (name === undefined) throw new Error(`no shell among ${offered.map((one) => one.name)}`);
    return { id, name, input: SHELLS[name]?.(call.shell) };
  }
  const found = findTool(offered, call.tool);
  if (found === undefined) throw new Error(`no ${call.tool} among the tools`);
  const { name, in: namespace } = found;
  return { id, name, ...(namespace === undefined ? {} : { namespace }), input: call.args };
}

/** How often the agent waits a second for the server's tools. */
const MOST_WAITS = 120;

/** A running model. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** The results of each turn that was played. */
  readonly played: readonly string[];
}

/** Starts a model that plays the turns one after the other, and then says that it is done. */
export function startScriptedModel(turns: readonly Turn[]): ScriptedModel {
  const played: string[] = [];
  let waits = MOST_WAITS;
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const protocol = PROTOCOLS.find(({ path }) => path.test(pathname));
    if (protocol === undefined || request.method !== "POST") {
      return Response.json({ data: [], models: [], input_tokens: 1 });
    }
    const body: Json = await request.json();
    const offered = listTools(body);
    const hasShell = offered.some(({ name }) => Object.hasOwn(SHELLS, name));
    // A client may ask before it has connected to the server; the agent then looks around first.
    const isEarly = hasShell && findTool(offered, "start_session") === undefined && waits > 0;
    if (isEarly) waits--;
    const turn = hasShell && !isEarly ? turns[played.length] : undefined;
    if (hasShell && !isEarly) played.push(protocol.readResults(body));
    const calls = isEarly ? [{ shell: "sleep 1" }] : turn?.(played.at(-1) ?? "") ?? [];
    const wire = calls.map((call, at) =>
      toWire(call, offered, `call_${played.length}_${waits}_${at}`)
    );
    const events = protocol.answer(wire, wire.length === 0 ? "Done." : `Turn ${played.length}`);
    return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    played,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
