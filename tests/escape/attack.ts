/**
 * What an attack is, and the ground it is tried on: a fresh repository, the real server, a shell under
 * the same account. Every call to the server is noted, so that an attack can be held against the call
 * that found it.
 */
import { ok } from "node:assert/strict";
import type { McpClient } from "../support/server/mcp_client.ts";
import type {
  OpenServer,
  Project,
  Reply,
  SessionOptions,
} from "../support/session/session_driver.ts";
import { openServer as openHosted } from "../support/session/hosted_session.ts";
import { createProject, openServer, Session, show } from "../support/session/session_driver.ts";
import { createProjectAt } from "../support/session/walked_project.ts";

/** One way to get past the rules, with its honest twin. */
export interface Attack {
  /** Short name, unique in the table. */
  readonly id: string;
  /** What it tries, for people. */
  readonly tries: string;
  /** Codes that the finding must carry; all of them. */
  readonly found: readonly string[];
  /** Where it has to be found: tool and step of the call, such as `submit_phase@13`. */
  readonly at: string;
  /** Tries it, and gives the reply that has to be the finding. */
  attack(ground: Ground): Promise<Reply>;
  /** The legitimate form of nearly the same deed; its last reply has to be a success. */
  honest(ground: Ground): Promise<Reply>;
}

/** The short flow: no documents, no exploration, no quality review. */
export const FAST: SessionOptions = { flags: { fast: true, no_doc: true } };

/** A repository with the servers and sessions of one try; everything is closed and removed at its end. */
export class Ground implements AsyncDisposable {
  /** The last call to a server, as `tool@step`. */
  lastCall = "none";
  readonly #open: AsyncDisposable[] = [];
  #isApart = false;
  #project: Project;
  /** Whether nobody has been shown the project yet. */
  #isFresh = true;

  constructor(project: Project) {
    this.#project = project;
  }

  get project(): Project {
    this.#isFresh = false;
    return this.#project;
  }

  static async create(): Promise<Ground> {
    return new Ground(await createProject());
  }

  get dir(): string {
    return this.project.dir;
  }

  /** From now on the servers are processes of their own, which can be killed. */
  setApart(): void {
    this.#isApart = true;
  }

  /** Gives variables to every server that is started from now on. */
  give(env: Readonly<Record<string, string>>): void {
    this.setApart();
    this.#project = { ...this.project, env: { ...this.project.env, ...env } };
  }

  /** Starts a server whose session is begun later. */
  async open(options: SessionOptions = FAST, project: Project = this.project): Promise<Session> {
    // Two servers at once are two processes.
    const open = this.#isApart || this.#open.length > 0 ? openServer : openHosted;
    const client = await open(project, options.projectDir);
    const session = new WatchedSession(this, client, { project, options, open });
    this.#open.push(session);
    return session;
  }

  /** Starts a server and a session, which must start. */
  async start(options: SessionOptions = FAST, project: Project = this.project): Promise<Session> {
    const session = await this.open(options, project);
    const reply = await session.begin();
    ok(reply.ok === true, show(reply));
    return session;
  }

  /** A session that stands at a step. */
  async to(step: number, options: SessionOptions = FAST): Promise<Session> {
    if (!this.#isFresh) {
      const session = await this.start(options);
      await session.until(step);
      return session;
    }
    // What begins on an untouched ground comes the same way to the step: it is copied from there.
    const project = await createProjectAt(step, options);
    await this.#project[Symbol.asyncDispose]();
    this.#project = project;
    const session = await this.open(options);
    session.takeOver(project.walked);
    return session;
  }

  /** Does something as an agent with a shell would; gives what it printed. */
  async sh(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const output = await new Deno.Command("sh", {
      args: ["-ec", line],
      cwd: this.dir,
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...env },
    }).output();
    const text = new TextDecoder();
    ok(output.success, `${line}: ${text.decode(output.stderr)}`);
    return text.decode(output.stdout).trim();
  }

  /** Another clean-up for the end of the try. */
  atEnd(clean: () => Promise<unknown>): void {
    this.#open.push({
      [Symbol.asyncDispose]: async () => {
        await clean();
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#open.toReversed()) await one[Symbol.asyncDispose]();
    await this.#project[Symbol.asyncDispose]();
  }
}

/** A session whose calls the ground notes. */
class WatchedSession extends Session {
  readonly #ground: Ground;

  constructor(
    ground: Ground,
    client: McpClient,
    made: Pick<Session, "project" | "options"> & { readonly open: OpenServer },
  ) {
    super(made.project, client, made);
    this.#ground = ground;
  }

  override async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    this.#ground.lastCall = `${tool}@${this.step ?? 1}`;
    return await super.call(tool, args);
  }
}

/** Submits the right payload of the step; the answer may be a refusal. */
export async function submitDue(session: Session): Promise<Reply> {
  return await session.submit(await session.prepare());
}

/** Goes to the end; the work must be merged. */
export async function finish(session: Session): Promise<Reply> {
  const reply = await session.until("end");
  ok(reply.merged === true, show(reply));
  return reply;
}

/** Sends resolutions without a payload. */
export async function settle(
  session: Session,
  path: string,
  action: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const change_resolution = [{ path, action, reason: "so it is", ...more }];
  return await session.call("submit_phase", { data: { change_resolution } });
}

/**
 * The finding of a deed that no refusal answers, because the server makes it harmless or marks it: the
 * caller has compared the outcome (the commit, the record, the trailer).
 */
export function held(rule: string, isHeld: boolean, seen: unknown = null): Reply {
  return isHeld ? { ok: false, error: rule, problems: [] } : { ok: true, escaped: rule, seen };
}

/** A success for an honest twin that a comparison decides. */
export function passed(isPassed: boolean, seen: unknown = null): Reply {
  return { ok: isPassed, seen };
}

/** The codes of a finding: of a refusal, of a failed verification, of stale evidence. */
export function toCodes(reply: Reply): readonly string[] {
  if (reply.ok !== false) {
    if (reply.verified === false) return ["verification_failed"];
    return Array.isArray(reply.evidence_stale) ? ["evidence_stale"] : [];
  }
  const problems: readonly { readonly code: string }[] = reply.problems ?? [];
  return [...new Set([reply.error, ...problems.map(({ code }) => code)])];
}
