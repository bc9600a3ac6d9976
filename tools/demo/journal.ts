/** Calls tools, prints a line for each, and stops at the first answer that is not as expected. */
import type { Answer, Client } from "./client.ts";

/** What an answer must be. */
export interface Expected {
  /** Step that the session must be at after the call. */
  readonly step?: number;
  /** The refusal that must come; without it the call must succeed. */
  readonly error?: string;
  /** Fields that the reply must have; "some" is any number but 0. */
  readonly reply?: Readonly<Record<string, unknown>>;
  /** Texts that the reply must hold somewhere. */
  readonly holds?: readonly string[];
}

/** A reply as the script reads it. */
export type Reply = Answer["reply"];

/** How long one call took, and its tool; {@link VERIFICATION} where the time is that of the project's own commands. */
export interface CallTiming {
  readonly tool: string;
  readonly durationMs: number;
}

/** Stands for a `submit_phase` that ran the project's commands. */
export const VERIFICATION = "verification";

/** One walk through a session, over one or more servers. */
export class Journal {
  readonly #print: (line: string) => void;
  #client: Client;
  #where = "start";
  #compactionCount: number | null = null;
  readonly #used = new Set<string>();
  readonly #timings: CallTiming[] = [];
  #sizeBytes = 0;

  /** @param print Takes each line; a benchmark passes one that drops them. */
  constructor(client: Client, print: (line: string) => void) {
    this.#client = client;
    this.#print = print;
  }

  /** The server that the calls go to. */
  get client(): Client {
    return this.#client;
  }

  /** Goes on with another server. */
  useClient(client: Client): void {
    this.#client = client;
  }

  /** Every call so far, in order. */
  get timings(): readonly CallTiming[] {
    return this.#timings;
  }

  /** Figures of all calls so far. */
  get totals(): {
    readonly calls: number;
    readonly durationMs: number;
    readonly sizeBytes: number;
  } {
    const durationMs = this.#timings.reduce((sum, timing) => sum + timing.durationMs, 0);
    return { calls: this.#timings.length, durationMs, sizeBytes: this.#sizeBytes };
  }

  /** Prints what happens outside the server. */
  note(text: string): void {
    this.#print(`${this.#where.padEnd(24)} · ${text}`);
  }

  /**
   * Submits the payload of the present step, with the tools that were really called since the last one
   * and the count of the last reply.
   */
  async submit(
    summary: string,
    data: Readonly<Record<string, unknown>>,
    expected: Expected = {},
  ): Promise<Reply> {
    const count = this.#compactionCount === null ? {} : { compaction_count: this.#compactionCount };
    const used = { summary, tools_used: [...this.#used] };
    const sent = { data: { ...data, ...used, ...count } };
    const reply = await this.call("submit_phase", sent, expected);
    if (reply.ok === true) this.#used.clear();
    return reply;
  }

  /** Calls a tool and holds its answer against what is expected. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    expected: Expected = {},
  ): Promise<Reply> {
    const { reply, durationMs, sizeBytes } = await this.#client.callTool(tool, args);
    const before = this.#where;
    this.#follow(reply);
    const isRun = reply.verification_source === "server";
    this.#timings.push({ tool: isRun ? VERIFICATION : tool, durationMs });
    this.#sizeBytes += sizeBytes;
    if (reply.ok === true && tool !== "submit_phase") this.#used.add(tool);
    const sent = `${tool} ${toShort(args)}`;
    this.#print(`${before.padEnd(24)} > ${sent}`);
    this.#print(`${" ".repeat(24)} < ${toLine(reply)}  [${durationMs.toFixed(0)} ms]`);
    check(reply, expected, sent);
    return reply;
  }

  #follow(reply: Reply): void {
    if (typeof reply.compaction_count === "number") this.#compactionCount = reply.compaction_count;
    if (typeof reply.phase === "string") this.#where = toPlace(reply);
  }
}

function check(reply: Reply, expected: Expected, sent: string): void {
  const fail = (wanted: string) => {
    throw new Error(`${sent}\n  expected ${wanted}\n  got ${JSON.stringify(reply, null, 1)}`);
  };
  if (expected.error === undefined && reply.ok !== true) fail("ok: true");
  if (expected.error !== undefined && reply.error !== expected.error) fail(`${expected.error}`);
  if (expected.step !== undefined && reply.step !== expected.step) fail(`step ${expected.step}`);
  for (const [key, wanted] of Object.entries(expected.reply ?? {})) {
    const isMet = wanted === "some" ? Number(reply[key]) > 0 : reply[key] === wanted;
    if (!isMet) fail(`${key} ${JSON.stringify(wanted)}`);
  }
  for (const text of expected.holds ?? []) if (!JSON.stringify(reply).includes(text)) fail(text);
}

function toPlace(reply: Reply): string {
  return `${String(reply.step).padStart(2)}/${reply.of ?? 19} ${reply.phase}`;
}

const LINE_CHARS = 96;

/** The one field of the arguments that says most. */
function toShort(args: Readonly<Record<string, unknown>>): string {
  const data = args.data as Readonly<Record<string, unknown>> | undefined;
  const { summary: _summary, tools_used: _used, compaction_count: _count, ...shown } = data ?? args;
  return cut(JSON.stringify(shown));
}

/** An answer in one line: what was refused and the way on, or what was found and where we are. */
function toLine(reply: Reply): string {
  if (reply.ok !== true) {
    const [first] = (reply.problems ?? []) as readonly { readonly hint?: string }[];
    const way = first?.hint === undefined ? "" : ` → ${first.hint}`;
    return `refused: ${reply.error}: ${reply.message}${way}`;
  }
  const facts = FACTS.filter((key) => reply[key] !== undefined && reply[key] !== null)
    .map((key) => `${key} ${toFact(reply[key])}`);
  const place = typeof reply.phase === "string" ? [`→ ${toPlace(reply).trim()}`] : [];
  return cut(["ok", ...place, ...facts].join(", "));
}

const FACTS = [
  "total",
  "total_changes",
  "source",
  "allowed",
  "progress",
  "verification_source",
  "verified",
  "reason",
  "person_changes",
  "kept",
  "discarded",
  "commit",
  "merged",
];

function toFact(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length <= LINE_CHARS ? text : `${text.slice(0, LINE_CHARS - 1)}…`;
}
