/**
 * A client that does nothing but what replies say: it calls the tools that `instruction`, `required_tools`
 * and hints name, edits when it is told to, fills `expected_payload` by its shape, and calls what `call`
 * names. It has no table of steps. Where a reply is not enough for it, the walk stops with that reply.
 */
import { dirname, join } from "node:path";
import type { Known, Work } from "./follower_fill.ts";
import { fillForm, fillPayload } from "./follower_fill.ts";

export type { Work } from "./follower_fill.ts";

/** A tool as the listing shows it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
}

/** What the follower is connected to. */
export interface Connection {
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  // deno-lint-ignore no-explicit-any -- replies are read freely
  readonly call: (name: string, args: Record<string, unknown>) => Promise<any>;
}

// deno-lint-ignore no-explicit-any -- replies are read freely
type Reply = any;

/** Most replies of one walk; more means that it turns in a circle. */
const MAX_PAYLOADS = 60;
const MAX_REPAIRS = 3;

/** Walks from the instructions of the server until a reply names the first call again. */
export class Follower {
  /** Name of each phase that a reply showed, in order. */
  readonly phases: string[] = [];
  /** Calls that were refused on the way, with the code of each. */
  readonly refusals: string[] = [];
  readonly #connection: Connection;
  #work: Work;
  readonly #root: string;
  readonly #seen = new Map<string, number | null>();
  readonly #changed = new Map<string, string>();
  /** The last chunk that an answer named. */
  #chunk: string | undefined;
  #called: string[] = [];
  #isEnough: (reply: Reply) => boolean = () => false;
  readonly #isJoining: boolean;
  /** Number of calls so far. */
  calls = 0;

  /** @param options `isJoining`: sends the payloads that replies show as `then` in the same call. */
  constructor(
    connection: Connection,
    work: Work,
    root: string,
    { isJoining = false }: { readonly isJoining?: boolean } = {},
  ) {
    this.#connection = connection;
    this.#work = work;
    this.#root = root;
    this.#isJoining = isJoining;
  }

  /**
   * The reply at which the work is over.
   *
   * @param start Further arguments of the first call.
   */
  async walk(start: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const { intent, query } = this.#work;
    return await this.#follow(await this.#call(this.#first, { intent, query, ...start }));
  }

  /** The same for one that has lost its memory: it begins with what the instructions say for that. */
  async walkOn(): Promise<Reply> {
    const { instructions } = this.#connection;
    const [status] = this.#findTools(instructions.slice(instructions.search(/loss of memory/)));
    if (status === undefined) {
      throw new Error("the instructions name no tool after a loss of memory");
    }
    return await this.#follow(await this.#call(status, {}));
  }

  /** Hands in payloads until a phase is reached, and leaves the work there. */
  async walkTo(phase: string): Promise<void> {
    this.#isEnough = (reply) => reply.phase === phase;
    await this.walk();
  }

  get #first(): string {
    const [first] = this.#findTools(this.#connection.instructions);
    if (first === undefined) throw new Error("the instructions name no tool");
    return first;
  }

  async #follow(from: Reply): Promise<Reply> {
    let reply = from;
    for (let count = 0; count < MAX_PAYLOADS; count++) {
      if (reply.ok !== true) throw new Error(`stuck at ${JSON.stringify(reply, null, 1)}`);
      if (reply.phase !== this.phases.at(-1)) this.phases.push(reply.phase);
      if (reply.call === this.#first || this.#isEnough(reply)) return reply;
      reply = await this.#answer(reply);
    }
    throw new Error(`no end after ${this.phases.join(", ")}`);
  }

  /** Does what a reply asks for, and hands it in; a refusal is mended by what its hints name. */
  async #answer(reply: Reply): Promise<Reply> {
    const { call, instruction, required_tools: required = [] } = reply;
    const { fixes } = this.#work;
    if (reply.sent_back === true && fixes !== undefined) {
      this.#work = { ...this.#work, edits: fixes };
    }
    const { may_write: cleared = [] } = reply;
    await this.#edit(cleared);
    const isCleared = Object.keys(this.#work.edits).every((path) => cleared.includes(path));
    const named = this.#findTools(instruction).filter((name) =>
      name !== call && !(isCleared && name === "check_write_target")
    );
    for (const tool of new Set<string>([...named, ...required])) await this.#use(tool, reply);
    let asked = reply;
    let shown: Record<string, unknown> = {};
    for (let repairs = 0;; repairs++) {
      const known: Known = {
        work: this.#work,
        reply: asked,
        called: [...new Set(this.#called)],
        seen: this.#seen,
        changed: this.#changed,
      };
      const data = { ...fillPayload(asked.expected_payload, known), ...shown };
      const next = await this.#call(call, {
        data: { ...data, compaction_count: asked.compaction_count },
        ...this.#toRow(asked, known),
      });
      if (next.ok === true || repairs >= MAX_REPAIRS) {
        this.#called = [];
        return next;
      }
      shown = fillForm(readForms(next), this.#work) as Record<string, unknown>;
      for (const { hint = "" } of next.problems ?? []) {
        for (const tool of this.#findTools(hint)) {
          if (tool !== call) await this.#use(tool, next);
        }
      }
      asked = next.expected_payload === undefined ? { ...next, ...asked } : next;
    }
  }

  /** The payloads behind the first one, whose forms say themselves what they are about. */
  #toRow({ then = [] }: Reply, known: Known): Record<string, unknown> {
    if (!this.#isJoining || then.length === 0) return {};
    const forms = then as readonly Record<string, unknown>[];
    return { then: forms.map((form) => fillPayload(form, { ...known, reply: {} })) };
  }

  /** Calls a tool for what a reply is about; edits where the answer says so, goes on where it names a call. */
  async #use(tool: string, about: Reply): Promise<void> {
    // Chunks are shown by the ids of a search; before one there is nothing to show.
    if (tool === "fetch_chunk_detail" && this.#chunk === undefined) return;
    let reply = await this.#call(tool, this.#toArguments(tool, about));
    for (let repairs = 0; reply.ok !== true && repairs < MAX_REPAIRS; repairs++) {
      const hints = (reply.problems ?? []).map(({ hint = "" }) => hint).join(" ");
      for (const other of this.#findTools(hints)) {
        if (other !== tool) await this.#call(other, this.#toArguments(other, about));
      }
      reply = await this.#call(tool, this.#toArguments(tool, about));
    }
    if (/^edit\b/i.test(reply.instruction ?? "")) await this.#edit(reply.paths ?? []);
  }

  async #edit(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const content = this.#work.edits[path];
      if (content === undefined) continue;
      const file = join(this.#root, path);
      const before = await Deno.readTextFile(file).catch(() => "");
      if (before === content) continue;
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, content);
      this.#changed.set(path, `${path}:${toRange(before, content)}`);
    }
  }

  /** Arguments by the names and descriptions of the listing. */
  #toArguments(tool: string, about: Reply): Record<string, unknown> {
    const { properties = {}, required = [] } = this.#connection.tools
      .find(({ name }) => name === tool)?.inputSchema ?? {};
    const { symbol, query, feature } = this.#work;
    const text = JSON.stringify(about);
    const edited = Object.keys(this.#work.edits);
    const named = edited.filter((path) => text.includes(path));
    const paths = named.length > 0 ? named : edited;
    const values: Readonly<Record<string, (description: string) => unknown>> = {
      pattern: (said) => /glob/i.test(said) ? "**/*" : symbol,
      symbol: () => symbol,
      query: () => query || feature,
      file_paths: () => paths,
      files: () => paths,
      paths: () => paths,
      path: () => paths[0],
      file_path: () => paths[0],
      target_files: () => paths,
      chunk_id: () => this.#chunk,
      line_number: () => this.#seen.get(paths[0] ?? "") ?? 1,
      allow_new_files: () => true,
    };
    const always = ["file_paths", "file_path", "target_files", "files", "paths", "allow_new_files"];
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, { description = "" }]) => {
        const value = values[name];
        if (value === undefined || !(required.includes(name) || always.includes(name))) return [];
        const sent = value(description);
        return sent === undefined ? [] : [[name, sent]];
      }),
    );
  }

  /** Tools of the listing that a text names, in its order. */
  #findTools(text: string): readonly string[] {
    const names = new Set(this.#connection.tools.map(({ name }) => name));
    return [...new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [])].filter((name) =>
      names.has(name)
    );
  }

  async #call(name: string, args: Record<string, unknown>): Promise<Reply> {
    this.calls++;
    const reply = await this.#connection.call(name, args);
    if (reply.ok !== true) {
      this.refusals.push(`${name}: ${reply.error}`);
      return reply;
    }
    this.#called.push(name);
    // What is expected is an example, and no file of the project.
    const { expected_payload: _, ...shown } = reply;
    this.#look(shown);
    return reply;
  }

  /** Remembers which files a reply showed, and a line of each. */
  #look(value: unknown): void {
    if (typeof value === "string" && /^[\w./-]+\.\w+$/.test(value) && !this.#seen.has(value)) {
      this.#seen.set(value, null);
    }
    if (typeof value !== "object" || value === null) return;
    const { path, line, id } = value as Readonly<Record<string, unknown>>;
    if (typeof id === "string" && /^[0-9a-f]{16}:/.test(id)) this.#chunk = id;
    if (typeof path === "string" && typeof line === "number") this.#seen.set(path, line);
    for (const part of Object.values(value)) this.#look(part);
  }
}

/** The fields that hints show as they are to be sent: a name, and its value as JSON. */
function readForms({ problems = [] }: Reply): Record<string, unknown> {
  const forms: Record<string, unknown[]> = {};
  for (const { hint = "" } of problems) {
    const [, name, json] = /\b(\w+) (\[\{.*\}\])/.exec(hint) ?? [];
    if (name !== undefined && json !== undefined) (forms[name] ??= []).push(...JSON.parse(json));
  }
  return forms;
}

/** The lines that differ, counted in the new text. */
function toRange(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < now.length && now[first] === old[first]) first++;
  let same = 0;
  while (
    same < Math.min(now.length, old.length) - first && now.at(-1 - same) === old.at(-1 - same)
  ) same++;
  return `${first + 1}-${Math.max(first + 1, now.length - same)}`;
}
