/** A repository whose commits have trailers and notes of sessions, made of recorded data without a session. */
import { join } from "node:path";
import type { Statement } from "../../../src/features/attest/statement_schema.ts";
import { attestCommit } from "../../../src/features/attest/attest_commit.ts";
import { buildStatement } from "../../../src/features/attest/statement.ts";
import type { TestReport } from "../../../src/runners/report.ts";
import type { VerificationRun } from "../../../src/evidence/runs/verification.ts";
import { formatCommitMessage } from "../../../src/git/branches/new_commit.ts";
import { parseConfig } from "../../../src/base/text/git_config.ts";
import type { VerifiedTrailer } from "../../../src/phase/verification_state.ts";
import { beginSession } from "../../../src/phase/begin.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

/** Times that no test depends on. */
const AT = "2026-01-31T14:25:30.000Z";

/** A run of one command, as the server keeps it. */
export function toRun(
  rest: Partial<VerificationRun> = {},
  exitCode = 0,
  counts: Partial<Pick<TestReport, "passed" | "failed" | "failures">> = {},
): VerificationRun {
  const tree = "a".repeat(40);
  return {
    id: "run",
    kind: "verify",
    sessionId: "session_20260131_142530_9f3a",
    visit: 7,
    treeAtStart: tree,
    treeAtEnd: tree,
    wrote: [],
    voided: null,
    commandsHash: "c".repeat(64),
    startedAt: AT,
    finishedAt: AT,
    wasCancelled: false,
    place: { kind: "checkout", tree, lent: ["node_modules"] },
    results: [{
      name: "test",
      run: ["sh", "test.sh"],
      program: "/home/anna/bin/sh",
      set: ["CI=true"],
      exitCode,
      startedAt: AT,
      durationMs: 1200,
      outputTail: "",
      outputHash: "d".repeat(64),
      outputBytes: 0,
      timedOut: false,
      cancelled: false,
      isStarted: true,
      failure: null,
      treeAtStart: tree,
      report: {
        runner: "TAP",
        unit: "tests",
        passed: 3,
        failed: exitCode,
        skipped: 1,
        errors: 0,
        failures: exitCode === 0 ? [] : [{ name: "a test", line: "expected 1" }],
        isComplete: true,
        ...counts,
      },
    }],
    ...rest,
  };
}

/** The statement of a session about a commit. */
export function toTestStatement(
  made: {
    readonly commit: string;
    readonly tree: string;
    readonly parents: readonly string[];
    readonly sessionId?: string;
    readonly verified?: VerifiedTrailer;
    readonly run?: VerificationRun | null;
    /** The run on the untouched tree; default none. */
    readonly baseline?: VerificationRun;
    readonly forced?: readonly string[];
    /** Further fields of the result of step 15. */
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Statement {
  const { sessionId = "session_20260131_142530_9f3a", verified = "yes", run = toRun() } = made;
  const state = beginSession(
    {
      sessionId,
      query: "add a login form",
      intent: "MODIFY",
      gateLevel: "auto",
      flags: {},
      docResearchPrompts: [],
      now: AT,
      workspace: {
        hasGit: true,
        baseBranch: "main",
        baseCommit: made.parents[0] ?? null,
        taskBranch: null,
        baselineTree: null,
        planTree: null,
        parkTree: null,
        cleanTree: null,
        mergeParent: null,
        commits: [],
      },
      hasStaleBranches: false,
    } as unknown as Parameters<typeof beginSession>[0],
  );
  return buildStatement({
    ...made,
    verified,
    ran: [],
    state: {
      ...state,
      ...(made.forced === undefined ? {} : { forced: made.forced }),
      decisions: [{
        at: AT,
        stage: "PRE_COMMIT",
        decision: "accept",
        reason: "seen",
        source: "terminal",
      }],
      testFindings: [{ id: "a.ts:3 assertion", what: "an assertion is gone", reason: "it moved" }],
      verification: run === null ? null : {
        at: AT,
        passed: true,
        verifier: "server",
        details: "",
        failedTasks: [],
        source: "server",
        ranOn: run.treeAtStart,
        provesNothing: ["a_test.ts: adds"],
        ...made.more,
      },
    },
    run,
    baseline: made.baseline ?? null,
    trust: { by: "terminal", at: AT },
    home: "/home/anna",
  });
}

/** What tests do with commits of sessions. */
export interface AttestedRepo extends TempRepo {
  /** Makes a commit with the trailers of a session. */
  claim(text: string, options?: ClaimOptions): Promise<MadeClaim>;
  /** Makes a key and lets git sign with it; returns its line for a file of allowed signers. */
  useKey(name: string): Promise<string>;
  /** From now on git has no key. */
  useNoKey(): Promise<void>;
  /** Writes the note about a commit. */
  attest(made: MadeClaim, rest?: Partial<Parameters<typeof toTestStatement>[0]>): Promise<void>;
  /** The text of a note. */
  note(commit: string): Promise<string>;
  /** Puts any text beside a commit. */
  putNote(commit: string, text: string): Promise<void>;
}

/** How a commit is made. */
export interface ClaimOptions {
  readonly sessionId?: string;
  /** Null for a commit without the trailer. */
  readonly verified?: string | null;
  /** Lines about a forced completion. */
  readonly forced?: readonly string[];
}

/** A commit with what a statement says of it. */
export interface MadeClaim {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly sessionId: string;
}

/** Makes the repository with one commit of nobody's session. */
export async function createAttestedRepo(): Promise<AttestedRepo> {
  const temp = await createTempRepo();
  const { dir, repo, git } = temp;
  let count = 0;
  const ref = ["notes", "--ref=code-intel"];
  return {
    ...temp,
    claim: async (text, { sessionId = "", verified = "yes", forced = [] } = {}) => {
      const id = sessionId || `session_20260131_142530_${String(++count).padStart(4, "0")}`;
      const message = formatCommitMessage(text, [
        ["Code-Intel-Session", id],
        ...(verified === null ? [] : [["Code-Intel-Verified", verified] as const]),
        ...forced.map((line) => ["Code-Intel-Forced", line] as const),
      ]);
      await git("commit", "-q", "--allow-empty", "-m", message);
      const facts = (await git("log", "-1", "--format=%H %T %P")).split(" ");
      const [commit = "", tree = "", ...parents] = facts;
      return { commit, tree, parents, sessionId: id };
    },
    useKey: async (name) => {
      const path = join(dir, ".git", name);
      const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path];
      await new Deno.Command("ssh-keygen", { args }).output();
      await git("config", "gpg.format", "ssh");
      await git("config", "user.signingKey", path);
      return `${name}@example.org ${(await Deno.readTextFile(`${path}.pub`)).trim()}\n`;
    },
    useNoKey: async () => {
      const config = parseConfig(await Deno.readTextFile(join(dir, ".git", "config")));
      if (!config.some(({ key }) => key === "user.signingkey")) return;
      await git("config", "--unset", "user.signingKey");
    },
    attest: async (made, rest = {}) => {
      await attestCommit(repo, toTestStatement({ ...made, ...rest }), "any");
    },
    note: async (commit) => `${await git(...ref, "show", commit)}\n`,
    putNote: async (commit, text) => {
      const file = join(dir, ".git", "note.txt");
      await Deno.writeTextFile(file, text);
      const blob = await git("hash-object", "-w", file);
      await git(...ref, "add", "-f", "-C", blob, commit);
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}
