/**
 * Checks that everything the program needs is there and undamaged: one row for each finding, with
 * its cure.
 */
import { listProjectFiles } from "../git/trees/file_lists.ts";
import { STEP } from "../base/steps.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { join } from "node:path";
import type { BackendStatus } from "../backends/detect.ts";
import { CodeIntelError } from "../base/errors.ts";
import { withLock } from "../base/processes/lock_file.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import type { Seal } from "../base/files/seal.ts";
import { call, say } from "../base/text/words.ts";
import type { Repository } from "../git/repository.ts";
import { readHead } from "../git/repository.ts";
import { listKeptBranches } from "../git/branches/own_refs.ts";
import { checkIdentity, findOperation, formatWaysOut } from "../git/locks.ts";
import { listSnapshotSessions } from "../git/snapshots/snapshot_list.ts";
import { checkFolders } from "../git/steering_files.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { DoctorFinding, DoctorRow } from "./finding.ts";
import { broken, makeFailureFinding, ok, warn } from "./finding.ts";
import type { MeaningFacts, VectorFacts } from "./meaning_check.ts";
import { checkMeaning, formatVectors } from "./meaning_check.ts";
import { findRefused, listStaleFiles } from "./leftovers.ts";

/** What the checks read; each fact is read at most once. */
export interface DoctorFacts {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of its `.code-intel` folder, which need not exist. */
  readonly codeIntelDir: string;
  /** Name and version of this program, and of what runs it. */
  readonly versions: readonly string[];
  /** The repository of the project; null outside of git. */
  readonly openRepo: () => Promise<Repository | null>;
  readonly readBackends: () => Promise<readonly BackendStatus[]>;
  /** Faults of the configuration files, and variables that override keys or change the program. */
  readonly readConfig: () => Promise<ConfigFindings>;
  /** The verification commands by name, and whether a person allowed them as they are. */
  readonly readVerify: () => Promise<{
    readonly commands: readonly { readonly name: string; readonly run: readonly string[] }[];
    readonly isTrusted: boolean;
  }>;
  /** Faults and notices of the project's contract. */
  /** Texts of the project that would guide agents, and that nobody allowed here. */
  readonly listClosedTexts: () => Promise<
    readonly { readonly path: string; readonly name: string }[]
  >;
  readonly readContract: () => Promise<{
    readonly problems: readonly Problem[];
    readonly notices: readonly string[];
  }>;
  /** What the code index holds; null where none was built. */
  readonly readIndex: () => Promise<IndexFindings | null>;
  /** What searches by meaning use. */
  readonly readMeaning: () => Promise<MeaningFacts>;
  /** Checks of what is no part of the core. */
  readonly otherChecks: readonly OtherCheck[];
  readonly store: SessionStore;
  readonly seal: Seal;
}

/** The facts about the configuration. */
export interface ConfigFindings {
  readonly problems: readonly Problem[];
  /** Set variables that override a key. */
  readonly overrides: readonly { readonly variable: string; readonly key: string }[];
  /** Other variables of the program that are set. */
  readonly variables: readonly string[];
  /** Summaries in the form of earlier programs (`essential_docs`). */
  readonly oldDocuments: number;
}

/** The facts about the code index. */
export interface IndexFindings {
  readonly path: string;
  readonly sizeBytes: number;
  readonly counts: { readonly files: number; readonly symbols: number };
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Files with vectors, of all files; null without a model. */
  readonly vectors: VectorFacts | null;
  /** The process that is making vectors now, if any. */
  readonly embeddingProcess: number | null;
}

/** A check that brings its own facts. */
export interface OtherCheck {
  /** Stable name of the check. */
  readonly id: string;
  readonly title: string;
  readonly run: () => Promise<readonly DoctorFinding[]>;
}

interface Check {
  readonly id: string;
  readonly title: string;
  readonly run: (facts: DoctorFacts) => Promise<readonly DoctorFinding[]>;
}

const CHECKS: readonly Check[] = [
  { id: "program", title: "Program", run: checkProgram },
  { id: "folder", title: "Project folder", run: checkFolder },
  { id: "git", title: "git", run: checkGit },
  { id: "snapshots", title: "Snapshots", run: checkSnapshots },
  { id: "backends", title: "Search programs", run: checkBackends },
  { id: "config", title: "Configuration", run: checkConfig },
  { id: "contract", title: "Phase contract", run: checkContract },
  { id: "verify", title: "Verification", run: checkVerify },
  { id: "setup", title: "Set-up", run: checkClients },
  { id: "index", title: "Code index", run: checkIndex },
  {
    id: "meaning",
    title: "Search by meaning",
    run: async ({ readMeaning }) => checkMeaning(await readMeaning()),
  },
  { id: "seal", title: "Seal key", run: checkSeal },
  { id: "sessions", title: "Sessions", run: checkSessions },
  { id: "locks", title: "Locks", run: checkLocks },
  { id: "leftovers", title: "Leftovers", run: checkLeftovers },
];

const INSTEAD: Readonly<Record<BackendStatus["name"], string>> = {
  rg: "the built-in scanner takes its place; install ripgrep for faster searches.",
};
const LOCK_PROBE_MS = 100;

/** Runs all checks. A check that throws becomes a broken row, and the others still run. */
export async function runDoctor(facts: DoctorFacts): Promise<readonly DoctorRow[]> {
  const results = await Promise.all(
    [...CHECKS, ...facts.otherChecks].map(async ({ id, title, run }) => {
      const findings = await run(facts).catch((failure) => makeFailureFinding(failure));
      return { id, title, findings };
    }),
  );
  const failed = new Map<string, string>();
  return results.flatMap(({ id, title, findings }) => {
    if ("detail" in findings) return [{ id, title, ...shortenRepeated(findings, title, failed) }];
    return findings.map((finding) => ({ id, title, ...finding }));
  });
}

/** A failure that several checks share is explained only in the first of them. */
function shortenRepeated(
  failure: DoctorFinding,
  title: string,
  failed: Map<string, string>,
): DoctorFinding {
  const first = failed.get(failure.detail);
  if (first !== undefined) {
    return broken(`Not looked at, for the reason that "${first}" gives`, undefined);
  }
  failed.set(failure.detail, title);
  return failure;
}

/** True when something that the program needs must be fixed: then the command fails. */
export function hasBroken(rows: readonly DoctorRow[]): boolean {
  return rows.some(({ status }) => status === "broken");
}

function checkProgram({ versions }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  return Promise.resolve([ok(versions.join(", "))]);
}

async function checkFolder({ projectRoot, codeIntelDir }: DoctorFacts) {
  const info = await Deno.lstat(codeIntelDir).catch(() => null);
  if (info === null) return [ok(`${projectRoot}; .code-intel is made at the first session`)];
  const refused = findRefused(codeIntelDir);
  if (refused.length > 0) return refused.map(({ message, hint }) => broken(message, hint));
  const probe = await Deno.makeTempFile({ dir: codeIntelDir, suffix: ".tmp" });
  await Deno.remove(probe);
  return [ok(`${projectRoot}; .code-intel can be written`)];
}

async function checkGit({ openRepo }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const repo = await openRepo();
  if (repo === null) {
    const detail = "The project is in no git repository: no branches, snapshots or commits";
    return [warn(detail, "Run `git init` and make a first commit, or work with --quick.")];
  }
  const head = await readHead(repo);
  const identity = await checkIdentity(repo);
  checkFolders(repo.worktree, await listProjectFiles(repo));
  const findings = [ok(`${await repo.git.line(["version"])}, worktree ${repo.worktree}`)];
  const operation = await findOperation(repo);
  if (operation !== null) {
    const ways = `End it: ${formatWaysOut(operation)}.`;
    findings.push(warn(`In this worktree ${operation.name} is under way`, ways));
  } else if (head.kind === "detached") {
    findings.push(warn("HEAD is on no branch", "Switch to the branch that work is merged into."));
  } else if (head.commit === null) {
    findings.push(warn(`"${head.branch}" has no commit`, "Make a first commit."));
  } else findings.push(ok(`Base branch: ${head.branch}`));
  if (identity !== null) findings.push(broken(identity.message, identity.hint));
  return findings;
}

/** Tells how many snapshots there are. Snapshots are no commits, so that `git log --all` lists only the tips of deleted branches. */
async function checkSnapshots({ openRepo }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const repo = await openRepo();
  if (repo === null) return [ok("None without git")];
  const [sessions, branches] = await Promise.all([
    listSnapshotSessions(repo),
    listKeptBranches(repo),
  ]);
  const count = sessions.reduce((sum, session) => sum + session.count, 0);
  if (count + branches.length === 0) return [ok("None yet")];
  const among = formatCount(sessions.length, "session");
  const deleted = branches.length === 1
    ? "1 deleted branch"
    : `${branches.length} deleted branches`;
  const detail = `${count} of ${among}, ${deleted}, below refs/code-intel`;
  const fix = branches.length === 0
    ? null
    : "`git log --exclude='refs/code-intel/*' --all` leaves the deleted branches out of that list.";
  return [{ status: "ok", detail, fix }];
}

async function checkBackends({ readBackends }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  return (await readBackends()).map(({ name, available, version, reason }) =>
    available
      ? ok(`${name}: ${version ?? "found"}`)
      : warn(`${name} is not used: ${reason ?? "not found"}`, `Without it ${INSTEAD[name]}`)
  );
}

const HARMLESS: ReadonlySet<string> = new Set([
  "config_unknown_key",
  "folder_unreadable",
  "path_not_found",
  "unknown_prompt",
]);

async function checkConfig({ readConfig }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const { problems, overrides, variables, oldDocuments } = await readConfig();
  const findings = problems.map(({ code, message, hint }) =>
    // These do no harm to the rest; a wrong value means that the user does not get what they set.
    HARMLESS.has(code) ? warn(message, hint ?? null) : broken(message, hint)
  );
  if (findings.length === 0) {
    findings.push(ok("config.json and context.yml can be used"));
  }
  for (const { variable, key } of overrides) {
    findings.push(ok(`${variable} overrides ${key} of config.json`));
  }
  for (const variable of variables) findings.push(ok(`${variable} is set`));
  if (oldDocuments > 0) {
    const detail = `essential_docs of context.yml is of an earlier program: ${oldDocuments} read`;
    findings.push(
      warn(detail, "doc_research.summaries takes its place; agents write it."),
    );
  }
  return findings;
}

async function checkVerify({ readVerify, projectRoot: root }: DoctorFacts) {
  const { commands, isTrusted } = await readVerify();
  if (commands.length === 0) {
    const fix = "Name the project's test command in `verify` of .code-intel/config.json.";
    return [warn(`No command: ${STEP.POST_IMPL_VERIFY} believes what the agent reports`, fix)];
  }
  const list = commands.map(({ name }) => name).join(", ");
  const trust = isTrusted ? ok(`Allowed on this machine: ${list}`) : warn(
    `Nobody has allowed these commands on this machine yet: ${list}`,
    "Run `code-intel trust`.",
  );
  const { findStartFault } = await import("./setup/start_fault.ts");
  const path = Deno.env.get("PATH") ?? "";
  const faults = await Promise.all(commands.map(async ({ name, run }) => {
    const fault = await findStartFault(run, { root, path });
    const fix = "Install what is missing, or change `verify` of .code-intel/config.json.";
    return fault === null
      ? []
      : [broken(`"${name}" (${run.join(" ")}) cannot start: ${fault}`, fix)];
  }));
  return [trust, ...faults.flat()];
}

async function checkContract(
  { readContract, listClosedTexts }: DoctorFacts,
): Promise<readonly DoctorFinding[]> {
  const [{ problems, notices }, closed] = await Promise.all([readContract(), listClosedTexts()]);
  const places = closed.map(({ path, name }) => name === "" ? path : `${path} (${name})`);
  const findings = [
    ...problems.map(({ message, hint }) => broken(message, hint)),
    ...notices.map((notice) => warn(notice, null)),
    ...(places.length === 0 ? [] : [
      warn(
        `Nobody has allowed these texts to guide agents on this machine yet: ${places.join(", ")}`,
        "Run `code-intel trust`.",
      ),
    ]),
  ];
  return findings.length > 0 ? findings : [ok("The contract can be used")];
}

/** Loaded late, because reading the clients' files takes parsers that no other check needs. */
async function checkClients({ projectRoot, codeIntelDir }: DoctorFacts) {
  const { checkSetup } = await import("./setup/setup_check.ts");
  const home = Deno.env.get(Deno.build.os === "windows" ? "USERPROFILE" : "HOME") ?? null;
  const path = Deno.env.get("PATH") ?? "";
  return await checkSetup({ projectRoot, codeIntelDir, home, path });
}

async function checkIndex({ readIndex }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const index = await readIndex();
  if (index === null) return [ok("None yet; it is built behind the first questions")];
  const { path, sizeBytes, counts, skipped, vectors, embeddingProcess } = index;
  const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
  const findings = [
    ok(
      `${formatCount(counts.files, "file")}, ${
        formatCount(counts.symbols, "symbol")
      }, ${megabytes} MB in ${path}`,
    ),
  ];
  if (vectors !== null) findings.push(ok(formatVectors(vectors, embeddingProcess)));
  if (path === ":memory:") {
    const fix = "Make the git folder, or the state folder of your home, writable.";
    findings.push(warn("The index lies in memory: each start builds it again", fix));
  }
  const groups = Map.groupBy(skipped, ({ reason }) => reason);
  for (const [reason, files] of [...groups].sort(([a], [b]) => a < b ? -1 : 1)) {
    const names = files.slice(0, 3).map((file) => file.path).join(", ");
    findings.push(
      ok(`${files.length} left out, ${reason}: ${names}${files.length > 3 ? " …" : ""}`),
    );
  }
  return findings;
}

async function checkSeal({ seal }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const notice = await seal.readNotice();
  const fix =
    "Make the state folder of your home writable, or name another by CODE_INTEL_STATE_DIR.";
  return [notice === null ? ok("Session files are sealed") : warn(notice, fix)];
}

async function checkSessions({ store }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const outcomes = await store.loadAll();
  const findings = outcomes.flatMap((outcome): readonly DoctorFinding[] =>
    outcome.kind === "loaded"
      ? outcome.notices.map(({ message }) => warn(message, null))
      : [broken(outcome.problem.message, outcome.problem.hint)]
  );
  const readable = outcomes.filter(({ kind }) => kind === "loaded").length;
  return [...findings, ok(`${readable} can be read`)];
}

/** Takes each lock for a moment: a process that holds one longer than a call takes may hang. */
async function checkLocks({ codeIntelDir }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const folder = join(codeIntelDir, "sessions");
  const exists = await Deno.stat(folder).catch(() => null);
  if (exists === null) return [ok("None")];
  const findings: DoctorFinding[] = [];
  const entries = await listOwnFolder(folder).catch(() => []);
  for (const { name, isFile } of entries) {
    if (isFile && name.endsWith(".lock")) findings.push(...await checkLock(join(folder, name)));
  }
  return findings.length > 0 ? findings : [ok("Free")];
}

async function checkLock(path: string): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const onTakeover = (holder: string) => {
    const detail = `Process ${holder} ended in the middle of an operation; its lock is free again`;
    findings.push(
      warn(detail, say`${call("get_session_status")} to see where the session stands.`),
    );
  };
  try {
    await withLock(path, { timeoutMs: LOCK_PROBE_MS, onTakeover }, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof CodeIntelError) || error.code !== "busy") throw error;
    const fix = "Run doctor again; if it stays, end the code-intel process that hangs.";
    return [warn("Another process works on the sessions right now", fix)];
  }
  return findings;
}

async function checkLeftovers({ codeIntelDir }: DoctorFacts): Promise<readonly DoctorFinding[]> {
  const names = (await listStaleFiles(codeIntelDir)).map(({ path }) => path);
  if (names.length === 0) return [ok("None")];
  const shown = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return [warn(`${shown}${more}`, "`code-intel clean` removes those that are old enough.")];
}
