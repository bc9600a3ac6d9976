/**
 * Drives a session of the real server process step by step with right payloads, following the replies
 * alone, so that a test says only what is special about it. It plays the agent: it edits files itself.
 */
import { dirname, join } from "node:path";
import type { McpClient } from "../server/mcp_client.ts";
import { startClient } from "../server/mcp_client.ts";
import type { Edits, Project } from "./project.ts";
import { SAMPLE_EDITS, toRange } from "./project.ts";
import { STEPS } from "./session_steps.ts";

export type { Edits, Project } from "./project.ts";
export {
  createProject,
  installHook,
  listTaskBranches,
  SAMPLE_EDITS,
  SAMPLE_FILES,
} from "./project.ts";

/** A reply of a tool as tests read it. */
// deno-lint-ignore no-explicit-any -- tests read replies freely
export type Reply = any;

/** How the session is to go; what is left out goes the straight way. */
export interface SessionOptions {
  readonly intent?: "IMPLEMENT" | "MODIFY" | "INVESTIGATE" | "QUESTION";
  readonly query?: string;
  /** Slots that stay open at step 4; default none that would raise the risk. */
  readonly openSlots?: readonly ("target_feature" | "observed_issue")[];
  readonly gateLevel?: "full" | "auto";
  readonly flags?: Readonly<Record<string, boolean>>;
  /** Further fields of start_session, such as `on_unfinished`. */
  readonly start?: Readonly<Record<string, unknown>>;
  /** One task for each path. */
  readonly edits?: Edits;
  /** What the tasks after each revert write; without a row a line is added to the first edit. */
  readonly fixes?: readonly Edits[];
  /** Contents for conflicted files. */
  readonly resolutions?: Edits;
  /** Answers of Q1, Q2, Q3 at steps 6, 8, 10; default no. */
  readonly answers?: readonly [boolean, boolean, boolean];
  /** Results of step 15, first come first; default passed. */
  readonly verifications?: readonly boolean[];
  /** Tasks that a failed verification names; default the first task. */
  readonly failedTasks?: readonly string[];
  /** Issues of step 18, first come first; default none. */
  readonly quality?: readonly (readonly string[])[];
  readonly restoreTo?: "none" | "plan" | "baseline";
  readonly choice?: "delete" | "merge" | "continue";
  readonly onConflict?: "resolve" | "park";
  /** Paths that step 17 discards the first time it sees them. */
  readonly discard?: readonly string[];
  /** True reports every item as skipped and edits nothing. */
  readonly skipAll?: boolean;
  /** Folder that the server works in, where it is not the top of the repository. */
  readonly projectDir?: string;
}

/** Starts a server in a project, or in a folder of it. */
export type OpenServer = (project: Project, dir?: string) => Promise<McpClient>;

/** Starts a server in a project (or a folder of it) without starting a session. */
export async function openServer(project: Project, dir: string = project.dir): Promise<McpClient> {
  return await startClient({ projectDir: dir, env: project.env });
}

/** Starts a server and a session; the session must start. */
export async function startSession(
  project: Project,
  options: SessionOptions = {},
): Promise<Session> {
  return await beginSession(await openSession(project, options));
}

/** Starts the session, which must start. */
export async function beginSession(session: Session): Promise<Session> {
  const reply = await session.begin();
  if (reply.ok !== true) throw new Error(`start_session: ${JSON.stringify(reply, null, 1)}`);
  return session;
}

/** Starts a server for a session that is begun, or resumed, later. */
export async function openSession(
  project: Project,
  options: SessionOptions = {},
): Promise<Session> {
  return await Session.open(project, options);
}

/** Most payloads of one walk; more means that a session turns in a circle. */
const MAX_PAYLOADS = 80;

/** One session as the agent sees it. */
export class Session implements AsyncDisposable {
  readonly project: Project;
  readonly options: SessionOptions;
  client: McpClient;
  /** The last reply that said where the session stands. */
  reply: Reply = {};
  id = "";
  /** Steps in the order in which accepted payloads reached them. */
  readonly steps: number[] = [];

  readonly #openServer: OpenServer;
  #count: number | null = null;
  readonly #used = new Set<string>();
  #verified = 0;
  #reviewed = 0;
  #planned = 0;
  #discarded = false;
  readonly #evidence = new Map<string, string>();
  readonly #pending: Record<string, string | null> = {};

  /** @param open starts the servers that come after this one; default: processes. */
  constructor(
    project: Project,
    client: McpClient,
    { options, open = openServer }: {
      readonly options: SessionOptions;
      readonly open?: OpenServer;
    },
  ) {
    this.project = project;
    this.client = client;
    this.options = options;
    this.#openServer = open;
  }

  /** Starts a server for a session that is begun, or resumed, later. */
  static async open(
    project: Project,
    options: SessionOptions,
    open: OpenServer = openServer,
  ): Promise<Session> {
    return new Session(project, await open(project, options.projectDir), { options, open });
  }

  /** Stands where another session of the driver stands, whose project was copied. */
  takeOver(other: Session): void {
    this.reply = structuredClone(other.reply);
    this.id = other.id;
    this.steps.push(...other.steps);
    this.#count = other.#count;
    for (const tool of other.#used) this.#used.add(tool);
    this.#verified = other.#verified;
    this.#reviewed = other.#reviewed;
    this.#planned = other.#planned;
    this.#discarded = other.#discarded;
    for (const [edit, evidence] of other.#evidence) this.#evidence.set(edit, evidence);
    Object.assign(this.#pending, other.#pending);
  }

  /** Where the files are that paths are relative to. */
  get dir(): string {
    return this.options.projectDir ?? this.project.dir;
  }

  /** The request of the person. */
  get query(): string {
    return this.options.query ?? "Refuse an empty name in login";
  }

  /** Where the session is; one that is over counts as at its last step, whatever way it ended. */
  get step(): number {
    return this.isOver ? 19 : this.reply.step;
  }

  get isOver(): boolean {
    return this.reply.session_complete === true;
  }

  /** Calls start_session; the answer may be a refusal. */
  async begin(extra: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const {
      intent = "IMPLEMENT",
      gateLevel,
      flags,
      start,
    } = this.options;
    return await this.call("start_session", {
      intent,
      query: this.query,
      ...(gateLevel === undefined ? {} : { gate_level: gateLevel }),
      ...(flags === undefined ? {} : { flags }),
      ...start,
      ...extra,
    });
  }

  /** Calls a tool and follows its reply, accepted or refused. */
  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const { reply } = await this.client.call(tool, args);
    if (reply.compaction_count !== undefined) this.#count = reply.compaction_count;
    if (reply.session_id !== undefined && reply.phase !== undefined) {
      this.id = reply.session_id;
      // A refusal says what is wrong; the task at hand was told by the answer before it.
      this.reply = reply.ok === true ? reply : { ...this.reply, ...reply };
    }
    if (reply.ok === true && !/^(start_session|submit_phase|get_session_status)$/.test(tool)) {
      this.#used.add(tool);
    }
    return reply;
  }

  /** Calls a tool that must succeed. */
  async must(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const reply = await this.call(tool, args);
    if (reply.ok !== true) {
      throw new Error(`${tool} ${JSON.stringify(args)} at ${this.place()}: ${show(reply)}`);
    }
    return reply;
  }

  /** Submits a payload with summary, tools and count added; the answer may be a refusal. */
  async submit(data: Readonly<Record<string, unknown>>): Promise<Reply> {
    const reply = await this.call("submit_phase", { data: this.toData(data) });
    if (reply.ok === true) {
      this.#used.clear();
      this.steps.push(this.step);
    }
    return reply;
  }

  /** Submits a payload that must be accepted. */
  async accept(data: Readonly<Record<string, unknown>>): Promise<Reply> {
    const before = this.place();
    const reply = await this.submit(data);
    if (reply.ok !== true) {
      throw new Error(`submit_phase at ${before}: ${JSON.stringify(data)}\n${show(reply)}`);
    }
    return reply;
  }

  /** A payload with what every payload needs. */
  toData(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return {
      summary: `Did ${this.place()}`,
      tools_used: [...this.#used],
      ...(this.#count === null ? {} : { compaction_count: this.#count }),
      ...data,
    };
  }

  /** Where the session stands, for messages. */
  place(): string {
    return `${this.reply.step} ${this.reply.phase ?? ""} ${this.reply.substep ?? ""}`.trim();
  }

  /** Does the work of the present step and submits its payload. */
  async next(): Promise<Reply> {
    return await this.accept(await this.prepare());
  }

  /** Does the work of the present step and returns the payload that is due. */
  async prepare(): Promise<Readonly<Record<string, unknown>>> {
    if (this.reply.user_escalation === true) {
      throw new Error(`the person is asked at ${this.place()}`);
    }
    const row = STEPS[this.step];
    if (row === undefined) throw new Error(`no way on at ${show(this.reply)}`);
    return await row(this);
  }

  /** Goes on until the session stands at a step, or is over. */
  async until(target: number | "end"): Promise<Reply> {
    for (let payloads = 0; payloads < MAX_PAYLOADS; payloads++) {
      if (target === "end" ? this.isOver : this.step === target && !this.isOver) return this.reply;
      if (this.isOver) throw new Error(`the session ended before ${target}: ${show(this.reply)}`);
      await this.next();
    }
    throw new Error(`step ${target} was not reached in ${MAX_PAYLOADS} payloads: ${this.place()}`);
  }

  /** Goes on until the person is asked. */
  async untilAsked(): Promise<Reply> {
    for (let payloads = 0; payloads < MAX_PAYLOADS; payloads++) {
      if (this.reply.user_escalation === true) return this.reply;
      await this.next();
    }
    throw new Error(`nobody was asked in ${MAX_PAYLOADS} payloads`);
  }

  /** Kills the server with SIGKILL, starts another and asks where the session stands. */
  async restart(): Promise<Reply> {
    await this.client.kill();
    return await this.revive();
  }

  /** Starts another server after the end of the last one and asks where the session stands. */
  async revive(): Promise<Reply> {
    this.client = await this.#openServer(this.project, this.dir);
    return await this.call("get_session_status");
  }

  /** The checkpoint on disk, as it is. */
  async checkpoint(): Promise<Reply> {
    const path = join(this.dir, ".code-intel", "sessions", `${this.id}.json`);
    return JSON.parse(await Deno.readTextFile(path));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close().catch(() => {});
  }

  /** Writes an edit and returns the evidence for it. */
  async write(path: string, content: string | null): Promise<string> {
    const full = join(this.dir, path);
    const before = await Deno.readTextFile(full).catch(() => "");
    // A report that is repeated finds its edit made already.
    const known = this.#evidence.get(`${path}\0${content}`);
    if (known !== undefined && before === content) return known;
    if (content === null) {
      await Deno.remove(full);
      return `${path}:deleted`;
    }
    await Deno.mkdir(dirname(full), { recursive: true });
    await Deno.writeTextFile(full, content);
    const evidence = `${path}:${toRange(before, content)}`;
    this.#evidence.set(`${path}\0${content}`, evidence);
    return evidence;
  }

  /** Writes a file that no task names, allowed by the write guard; in READY only. */
  async leave(path: string, content: string): Promise<void> {
    await this.must("add_explored_files", { files: [path] });
    await this.must("check_write_target", { file_path: path, allow_new_files: true });
    await this.write(path, content);
  }

  takeVerification(): boolean {
    return this.options.verifications?.[this.#verified++] ?? true;
  }

  takeQuality(): readonly string[] {
    return this.options.quality?.[this.#reviewed++] ?? [];
  }

  takeDiscards(): readonly string[] {
    if (this.#discarded) return [];
    this.#discarded = true;
    return this.options.discard ?? [];
  }

  /** The edits of the next plan. */
  async takePlan(): Promise<readonly (readonly [string, string | null])[]> {
    const first = Object.entries(this.options.edits ?? SAMPLE_EDITS);
    const number = this.#planned++;
    const isFirst = (this.reply.existing_tasks ?? []).length === 0;
    const fix = this.options.fixes?.[number - 1];
    const edits = isFirst ? first : fix !== undefined ? Object.entries(fix) : [
      await this.toExtraLine(first.find(([, content]) => content !== null)?.[0] ?? "src/auth.ts"),
    ];
    for (const [path, content] of edits) this.#pending[path] = content;
    return edits;
  }

  private async toExtraLine(path: string): Promise<readonly [string, string]> {
    const now = await Deno.readTextFile(join(this.dir, path)).catch(() => "");
    const number = this.#planned - 1;
    return [path, `${now}export const fix${number} = ${number};\n`];
  }

  /** The content that an item of a checklist stands for. */
  toContent(path: string, isConflict: boolean): string | null {
    const content = isConflict ? this.options.resolutions?.[path] : this.#pending[path];
    return content === undefined
      ? this.options.edits?.[path] ?? SAMPLE_EDITS[path] ?? null
      : content;
  }
}

/** A reply for a message, whole. */
export function show(reply: Reply): string {
  return JSON.stringify(reply, null, 1);
}
