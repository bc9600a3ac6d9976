/**
 * Opens the session that a call works on: under the operation lock, from the checkpoint on disk,
 * after completing half-done effects of a killed process. Only the checkpoint on disk counts.
 */
import { join } from "node:path";
import { CodeIntelError, isGitUnusable } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLockIfFree } from "../../base/processes/lock_file.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { RefusedReply, Reply } from "../../base/reply.ts";
import { ASKED, call, SAME_CALL, say } from "../../base/text/words.ts";
import { createMissingRepository } from "../../git/private_repository.ts";
import type { Repository } from "../../git/repository.ts";
import type { Trees } from "../../ledger/trees.ts";
import { createTrees, isManifestId, keepStateTrees } from "../../ledger/trees.ts";
import type { GuidingText } from "../../evidence/runs/trust.ts";
import type { SessionState } from "../../phase/state.ts";
import { EFFECTS } from "../../phase/table/effects.ts";
import type { SessionRecord } from "../../session/records.ts";
import type { LoadedSession, StoreNotice } from "../../session/store_api.ts";
import type { LoadedContract } from "./contract_file.ts";
import { ContractFile } from "./contract_file.ts";
import { noteEvents } from "./note_events.ts";
import { noteState } from "./note_state.ts";
import type { SessionSettings, WorkflowDeps } from "./deps.ts";
import { loadSessionSettings } from "./deps.ts";
import type { Noted } from "./learning.ts";
import { keepAllowed } from "./guiding_texts.ts";
import { ProjectPaths } from "./project_paths.ts";
import { listAllPrompts, readPrompts } from "./prompts.ts";

/** A session as it was read or saved last; `save` moves it to its next revision. */
export interface OpenSession {
  readonly id: string;
  readonly revision: number;
  readonly state: SessionState;
  readonly notices: readonly StoreNotice[];
  /** What the last save recorded for later sessions; absent where it recorded nothing. */
  readonly noted?: Noted;
}

/** What an operation works with beside its session. */
export interface SessionContext {
  readonly deps: WorkflowDeps;
  /** Opens and saves sessions. */
  readonly sessions: Sessions;
  /**
   * The repository with the states of the files: that of the project, or for a session without git the
   * private one. It is a missing one without a session in a project without git, and where it is gone.
   */
  readonly repo: Repository;
  /** States of the working files. */
  readonly trees: Trees;
  readonly paths: ProjectPaths;
  readonly contract: LoadedContract;
}

/** A session, or the reply that tells why there is none. */
export type OpenResult =
  | { readonly kind: "open"; readonly session: OpenSession }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reply: RefusedReply };

/**
 * Everything that one call on a session needs: the project as opened for it, the session as found,
 * and its settings.
 */
export type Opened =
  | { readonly kind: "open" } & OpenContext
  | Exclude<OpenResult, { readonly kind: "open" }>;

/** What an operation works with on an open session. */
export interface OpenContext extends SessionContext {
  /** The session as it was read last: before the lock, and once more under it to change it. */
  readonly session: OpenSession;
  readonly settings: SessionSettings;
}

/** A run of verification commands of this process, and what it was started for. */
export interface KnownRun {
  readonly id: string;
  readonly tree: string;
  /** Entry of step 15. */
  readonly visit: number;
}

type WithoutTime<R> = R extends SessionRecord ? Omit<R, "at"> : never;

/** A record before it has its time. */
export type NewRecord = WithoutTime<SessionRecord>;

/** Gives operations their session, one operation at a time. */
export class Sessions {
  readonly deps: WorkflowDeps;
  /** Runs of verification commands that this process started, by session. */
  readonly runs = new Map<string, KnownRun>();
  /** How baseline runs of this process ended that no reply has reported yet, by session. */
  readonly baselineNews = new Map<string, string>();
  readonly #contract: ContractFile;

  /** @param deps What the workflow is built from. */
  constructor(deps: WorkflowDeps) {
    this.deps = deps;
    this.#contract = new ContractFile(deps.codeIntelDir, {
      isAllowed: async (text) => (await keepAllowed(deps, [text])).length > 0,
      offered: deps.offered,
    });
  }

  /**
   * Repository, paths and contract for one operation on a session, by default the active one. A
   * session that began with git goes on with it, and one without goes on without.
   *
   * @throws {CodeIntelError} `git_missing`, `git_too_old` where the session began with git.
   */
  async prepare(sessionId?: string): Promise<SessionContext> {
    return await this.#prepareFor(await this.#readState(sessionId));
  }

  /**
   * Opens a session, by default the active one, with everything that a call on it needs.
   *
   * @throws {CodeIntelError} as {@link Sessions.prepare}.
   */
  async enter(sessionId?: string): Promise<Opened> {
    const opened = sessionId === undefined ? await this.openActive() : await this.open(sessionId);
    if (opened.kind !== "open") return opened;
    const { session } = opened;
    const [context, settings] = await Promise.all([
      this.#prepareFor(session.state),
      loadSessionSettings(this.deps, session.state),
    ]);
    return { kind: "open", ...context, session, settings };
  }

  /** @param state The session; null where there is none. */
  async #prepareFor(state: SessionState | null): Promise<SessionContext> {
    const { deps } = this;
    const contract = await this.#contract.load();
    const hasGit = state?.workspace.hasGit ?? null;
    const repo = hasGit === false ? await openPrivate(deps, state) : await openAny(deps);
    if (hasGit === true && isGitUnusable(repo.missing)) throw repo.missing;
    const paths = new ProjectPaths(deps.projectRoot, repo.worktree);
    return { deps, sessions: this, repo, trees: createTrees(repo), paths, contract };
  }

  /**
   * What an operation works with in a new session: a project without git gets the private repository.
   *
   * @throws {CodeIntelError} `git_missing`, `git_too_old`, and why the private repository cannot be made.
   */
  async prepareToBegin(context: SessionContext): Promise<SessionContext> {
    if (context.repo.missing === undefined) return context;
    const repo = await this.deps.states.open();
    return { ...context, repo, trees: createTrees(repo) };
  }

  /** The texts of the project that would guide agents, and that nobody allowed here. */
  async listClosedTexts(): Promise<readonly GuidingText[]> {
    const { projectRoot, codeIntelDir, loadSettings, listContextTexts } = this.deps;
    const { prompts } = await loadSettings();
    const contract = await this.#contract.readOwnText();
    const texts = [
      ...(contract === null ? [] : [contract]),
      ...await listContextTexts(),
      ...readPrompts(projectRoot, await listAllPrompts(codeIntelDir, prompts)),
    ];
    const allowed = new Set(await keepAllowed(this.deps, texts));
    return texts.filter((text) => !allowed.has(text));
  }

  /** The contract in force; its file is read again only when it changed. */
  async readContract(): Promise<LoadedContract> {
    return await this.#contract.load();
  }

  /**
   * What is needed to leave a session, whatever is wrong with git: nothing is read that could fail.
   */
  async prepareToLeave(): Promise<SessionContext> {
    const { deps } = this;
    const repo = createMissingRepository(deps.projectRoot, toGone());
    const paths = new ProjectPaths(deps.projectRoot, deps.projectRoot);
    const contract = await this.#contract.load();
    return { deps, sessions: this, repo, trees: createTrees(repo), paths, contract };
  }

  async #readState(sessionId: string | undefined): Promise<SessionState | null> {
    const { store } = this.deps;
    const found = sessionId === undefined ? await store.findActive() : await store.load(sessionId);
    return found?.kind === "loaded" ? found.checkpoint.state : null;
  }

  /** Runs `action` while no other process works on the sessions of the project. */
  async underLock<T>(action: () => Promise<T>): Promise<T> {
    return await this.deps.store.withOperation(async (operation) => {
      for (const notice of operation.notices) this.deps.logger.note(notice.message);
      return await action();
    });
  }

  /**
   * Runs `action` while no other process performs effects, which may take longer than an operation
   * under the lock may.
   */
  async whilePerforming<T>(action: () => Promise<T>): Promise<T> {
    const folder = join(this.deps.codeIntelDir, "sessions");
    await makeOwnFolder(folder);
    let result: { readonly value: T } | null = null;
    const isDone = await withLockIfFree(
      join(folder, ".effects.lock"),
      { timeoutMs: LIMITS.lockWaitMs.value },
      async () => void (result = { value: await action() }),
    );
    if (!isDone || result === null) throw await this.#toBusy();
    return (result as { readonly value: T }).value;
  }

  /** The error that tells what another process or call is doing. */
  async #toBusy(): Promise<CodeIntelError> {
    const found = await this.deps.store.findActive();
    const state = found?.kind === "loaded" ? found.checkpoint.state : null;
    const kinds = (state?.pending?.effects ?? []).map(({ kind }) => kind);
    const what = kinds.length === 0 ? "effects of another call" : kinds.join(", ");
    const hooks = kinds.some((kind) => EFFECTS[kind].runsHooks)
      ? " (a git hook of the project may be running)"
      : "";
    return new CodeIntelError("busy", `Cannot go on: still under way: ${what}${hooks}`, {
      hint: say`Wait for it to end, then ${SAME_CALL} again.`,
    });
  }

  /** The active session, to read; to change it, it is opened under the lock. */
  async openActive(): Promise<OpenResult> {
    const found = await this.deps.store.findActive();
    if (found === null) return { kind: "none" };
    return found.kind === "loaded"
      ? { kind: "open", session: openLoaded(found) }
      : { kind: "refused", reply: refuseUnreadable(found.problem) };
  }

  /** Runs `action` on the active session under the lock; without a session nothing is written. */
  async onActive(action: (session: OpenSession) => Promise<Reply>): Promise<Reply> {
    if (await this.deps.store.findActive() === null) return refuseWithoutSession();
    return await this.underLock(async () => {
      const opened = await this.openActive();
      if (opened.kind === "none") return refuseWithoutSession();
      return opened.kind === "refused" ? opened.reply : await action(opened.session);
    });
  }

  /** A session by id, whatever its status, to read; to change it, it is opened under the lock. */
  async open(id: string): Promise<OpenResult> {
    const found = await this.deps.store.load(id);
    return found.kind === "loaded"
      ? { kind: "open", session: openLoaded(found) }
      : { kind: "refused", reply: refuseUnreadable(found.problem) };
  }

  /**
   * Writes the next revision; call it under the lock. Afterwards it records what the state means
   * for later sessions, and then archives an ended session. In this order the next start can
   * complete both after a kill.
   */
  async save(session: OpenSession, state: SessionState): Promise<OpenSession> {
    // A question to the user that this state answers may not have been recorded by a killed
    // process.
    if (session.state.escalation !== null) await noteState(this.deps, session.state);
    const states = { before: session.state, now: state };
    const openRepo = async () => {
      if (!state.workspace.hasGit) return await this.deps.states.find();
      const repo = await openAny(this.deps);
      return repo.missing === undefined ? repo : null;
    };
    await keepStateTrees(openRepo, session.id, states);
    const result = await this.deps.store.save({ state }, { expectedRevision: session.revision });
    if (result.kind === "refused") {
      const { message, hint = "" } = result.problem;
      throw new CodeIntelError("checkpoint_refused", String(message), { hint });
    }
    await noteEvents(this.deps, states);
    const noted = await noteState(this.deps, state);
    if (state.status === "ended") await this.deps.store.archive(session.id);
    return { ...session, revision: result.checkpoint.revision, state, noted };
  }

  /** Ends the run on the untouched tree, because the tree changed or step 15 begins. */
  async cancelBaseline(sessionId: string): Promise<void> {
    await this.deps.verification.runner.cancelSession(sessionId, "baseline");
  }

  /** The records of a session. */
  async records(id: string): Promise<readonly SessionRecord[]> {
    return (await this.deps.store.readRecords(id)).records;
  }

  /** Appends to the records of a session. */
  async record(id: string, entry: NewRecord): Promise<void> {
    const at = this.deps.clock.now().toISOString();
    await this.deps.store.appendRecord(id, { ...entry, at } as SessionRecord);
  }

  /** Records paths as explored; writes nothing for an empty list. */
  async recordExplored(
    session: OpenSession,
    paths: readonly string[],
    via: string,
  ): Promise<void> {
    if (paths.length === 0) return;
    const { visit } = session.state;
    await this.record(session.id, { kind: "explored", visit, paths: [...new Set(paths)], via });
  }
}

/** The private repository of a session without git; a missing one where its states are gone. */
async function openPrivate(
  { states, projectRoot }: WorkflowDeps,
  state: SessionState | null,
): Promise<Repository> {
  const isOld = isManifestId(state?.ledger?.tree ?? null);
  const repo = isOld ? null : await states.find();
  if (repo !== null) return repo;
  const why = isOld
    ? "an earlier version of code-intel began the session, without a git directory of its own"
    : "the states of the session are gone from .code-intel/backup/git";
  return createMissingRepository(
    projectRoot,
    new CodeIntelError("manifest_failed", `Cannot compare the files: ${why}`, {
      hint: "Abandon the session and start again; the files stay as they are.",
    }),
  );
}

/** The repository of the project; a missing one where there is none, or where git cannot be used. */
async function openAny({ openRepo, projectRoot }: WorkflowDeps): Promise<Repository> {
  try {
    return await openRepo() ?? createMissingRepository(projectRoot, toGone());
  } catch (failure) {
    if (!isGitUnusable(failure)) throw failure;
    return createMissingRepository(projectRoot, failure);
  }
}

function toGone(): CodeIntelError {
  return new CodeIntelError("git_failed", "The project is in no git repository any more", {
    hint:
      say`Restore the repository, then ${SAME_CALL} again; or the person ends the session with \`code-intel clean --all\`.`,
  });
}

function openLoaded(found: LoadedSession): OpenSession {
  const { state, revision } = found.checkpoint;
  return { id: found.id, revision, state, notices: found.notices };
}

function refuseUnreadable(problem: Problem): RefusedReply {
  return {
    ok: false,
    error: problem.code,
    message: problem.message,
    problems: [problem],
    call: "get_session_status",
  };
}

/** The refusal of a call that needs a session where none is active. */
export function refuseWithoutSession(): RefusedReply {
  const problem = makeProblem("no_active_session", "No session is active in this project", {
    hint: say`${call("start_session", { intent: ASKED, query: ASKED })}.`,
  });
  return {
    ok: false,
    error: problem.code,
    message: problem.message,
    problems: [problem],
    instruction: say`${call("start_session")} with the person's request to begin one.`,
    call: "start_session",
  };
}
