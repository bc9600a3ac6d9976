/** Gathers what is on record of sessions, for their reports: from the store, git, the past and what was learned. */
import type { ImpactAnalyzer } from "../../impact/analyze.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { call, say } from "../../base/text/words.ts";
import { findNearest } from "../../base/text/nearest.ts";
import type { Repository } from "../../git/repository.ts";
import { toProjectPath } from "../../git/repository.ts";
import type { Change } from "../../git/trees/changes.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import { createDiffReader } from "../../git/trees/changed_lines.ts";
import { findUsualCompany } from "../../history/past.ts";
import type { SessionState } from "../../phase/state.ts";
import type { Checkpoint } from "../../session/session.ts";
import { isSessionId } from "../../session/session.ts";
import type { RecordsResult, SessionStore } from "../../session/store_api.ts";
import type { Services } from "../../services/services_api.ts";
import { findWorkRange } from "../../services/session_changes.ts";
import { findIdleLines } from "./idle_lines.ts";
import type { OverviewReport, SessionReport } from "./report_schema.ts";
import { buildOverview } from "./to_overview.ts";
import type { ChangedFileText, FoundDependent } from "./to_report.ts";
import { buildSessionReport } from "./to_report.ts";

/** Makes the question; a file that the index does not know has no answer. */
export function createDependentsFinder(
  impact: Pick<ImpactAnalyzer, "analyze">,
): (
  path: string,
) => Promise<readonly { readonly path: string; readonly isProven: boolean }[] | null> {
  return async (path) => {
    const answer = await impact.analyze({
      targetFiles: [path],
      symbols: [],
      isDiff: false,
      changeDescription: "",
      depth: 1,
    });
    if (answer.kind !== "found") return null;
    return answer.files
      .filter(({ edges }) => edges.some(({ depth }) => depth === 1))
      .map(({ path: from, isMust }) => ({ path: from, isProven: isMust }));
  };
}

/** What reports are gathered from. */
type ReportDeps =
  & Pick<Services, "sessions" | "readCommitRuns" | "openLearning" | "history" | "parts">
  & Pick<Services, "openRuns" | "index">
  & {
    /** Files that lead to a file, by the index of now; null where it cannot tell. */
    readonly findDependents: ReturnType<typeof createDependentsFinder>;
  };

/** Gives reports. */
export interface ReportSource {
  /** The report of a session, active or archived; without an id, of the active one. */
  session(id?: string): Promise<ReportResult<SessionReport>>;
  /** All sessions. */
  overview(): Promise<ReportResult<OverviewReport>>;
  /** What tells one state of the sessions from another, so that nothing is made again while nothing happens. */
  readMark(): Promise<string>;
}

/** A report, or why there is none. */
export type ReportResult<Report> =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Makes the source; nothing is read before the first question. */
export function createReportSource(services: Services): ReportSource {
  const deps = { ...services, findDependents: createDependentsFinder(services.impact) };
  return {
    session: (id) => gatherSession(deps, id),
    overview: () => gatherOverview(deps),
    readMark: async () => {
      const found = await deps.sessions.findActive();
      if (found === null) return `none ${(await deps.sessions.listArchived()).length}`;
      const revision = found.kind === "loaded" ? found.checkpoint.revision : 0;
      const { records } = await deps.sessions.readRecords(found.id);
      return `${found.id} ${found.kind} ${revision} ${records.length}`;
    },
  };
}

interface Found {
  readonly checkpoint: Checkpoint;
  readonly isVouched: boolean;
  readonly records: RecordsResult;
}

async function gatherSession(
  deps: ReportDeps,
  id: string | undefined,
): Promise<ReportResult<SessionReport>> {
  const found = await findSession(deps, id);
  if ("problem" in found) return { kind: "refused", problem: found.problem };
  const { checkpoint, records } = found;
  const { state, savedAt } = checkpoint;
  const repo = await deps.parts.openRepo();
  const files = repo === null ? null : await readFiles(repo, state).catch(() => null);
  const paths = (files ?? []).map(({ path }) => path);
  const [runs, learned, dependents, together, idle] = await Promise.all([
    deps.readCommitRuns(state.sessionId),
    deps.openLearning().then((learning) => learning.listLearned(state.sessionId)),
    findDependents(deps, files),
    findMissing(deps, paths),
    findIdleLines(deps, files ?? []).catch(() => null),
  ]);
  const notices = listNotices(found, { hasGit: repo !== null, hasFiles: files !== null });
  const report = buildSessionReport({
    state,
    savedAt,
    records: records.records,
    notices,
    runs,
    files,
    idle,
    dependents,
    together,
    learned,
  });
  return { kind: "report", report };
}

async function findSession(
  { sessions: store }: ReportDeps,
  id: string | undefined,
): Promise<Found | { readonly problem: Problem }> {
  const loaded = id === undefined ? await store.findActive() : await store.load(id);
  if (loaded === null) {
    return {
      problem: makeProblem("no_active_session", "No session is active in this project", {
        hint: "`code-intel report` without a name shows all sessions on record.",
      }),
    };
  }
  if (loaded.kind === "loaded") {
    return { ...loaded, records: await store.readRecords(loaded.id) };
  }
  if (loaded.kind !== "missing" || id === undefined) return { problem: loaded.problem };
  const archived = await store.readArchived(id);
  if (archived.kind === "read") return archived;
  if (archived.kind === "missing") return { problem: await makeUnknownProblem(store, id) };
  return {
    problem: makeProblem(
      "checkpoint_damaged",
      `The record of session "${id}" cannot be read: ${archived.reason}`,
      { hint: "Its file below `.code-intel/sessions/archive` was left as it is." },
    ),
  };
}

async function makeUnknownProblem(store: SessionStore, id: string): Promise<Problem> {
  const [open, archived] = await Promise.all([store.loadAll(), store.listArchived()]);
  const ids = [...archived, ...open.map((outcome) => outcome.id)];
  if (ids.length === 0) return makeNoneProblem();
  const near = findNearest(id, ids);
  const [newest = ""] = ids.toSorted().toReversed();
  const hint = near.length === 0
    ? `The newest one is ${newest}. \`code-intel report\` without a name shows them all.`
    : `Did you mean ${near.join(" or ")}? \`code-intel report\` without a name shows them all.`;
  const why = isSessionId(id) ? "" : ", which is no id of a session";
  return makeProblem("session_not_found", `No session "${id}" is on record${why}`, { hint });
}

function makeNoneProblem(): Problem {
  return makeProblem("no_sessions", "No session is on record in this project", {
    hint: say`${call("start_session")}: its report can be seen from then on.`,
  });
}

/** Most files of hooks that are named. */
const MOST_HOOKED = 5;

function listNotices(
  { isVouched, records, checkpoint }: Found,
  { hasGit, hasFiles }: { readonly hasGit: boolean; readonly hasFiles: boolean },
): readonly string[] {
  const { rejectedLines } = records;
  const { byHooks = [] } = checkpoint.state.workspace.statement ?? {};
  return [
    ...(isVouched ? [] : ["The record has no seal of this account: nobody can tell who wrote it."]),
    ...(rejectedLines === 0 ? [] : [
      `Left out: ${
        formatCount(rejectedLines, "line")
      } of the record, unreadable or with a wrong seal.`,
    ]),
    ...(byHooks.length === 0 ? [] : [
      `After the verification git hooks changed ${formatCount(byHooks.length, "file")}: ${
        byHooks.slice(0, MOST_HOOKED).join(", ")
      }.`,
    ]),
    ...(hasGit ? [] : ["There is no git here, so the changed lines are not shown."]),
    ...(hasGit && !hasFiles
      ? ["The changed lines are not shown: git does not keep both states of the files any more."]
      : []),
  ];
}

const MOST_DIFFS = 60;
const MOST_DIFF_CHARS = 40_000;
const MOST_ALL_CHARS = 400_000;

async function readFiles(
  repo: Repository,
  state: SessionState,
): Promise<readonly ChangedFileText[]> {
  const ends = findWorkRange(state);
  if (ends === null) return [];
  const { from, to } = ends;
  const changes = await diffTrees(repo, from, to, { withLineCounts: true });
  const readDiff = createDiffReader(repo, ends, changes);
  const files: ChangedFileText[] = [];
  let room = MOST_ALL_CHARS;
  for (const [index, change] of changes.entries()) {
    const isShown = index < MOST_DIFFS && room > 0 && change.isBinary !== true;
    const text = isShown ? cutHunks(await readDiff(change)) : null;
    const diff = text !== null && text.length <= Math.min(room, MOST_DIFF_CHARS) ? text : null;
    room -= diff?.length ?? 0;
    files.push(buildFile(repo, change, diff));
  }
  return files;
}

function buildFile(repo: Repository, change: Change, diff: string | null): ChangedFileText {
  const isBinary = change.isBinary === true;
  return {
    path: toProjectPath(repo, change.path),
    kind: change.kind,
    from: change.from === undefined ? null : toProjectPath(repo, change.from),
    added: isBinary ? null : change.addedLines ?? 0,
    removed: isBinary ? null : change.removedLines ?? 0,
    diff,
  };
}

/** The diff of one file without its head. */
function cutHunks(text: string): string {
  const start = text.search(/^@@ /m);
  return start < 0 ? "" : text.slice(start);
}

/** More changed files than these are not asked for what depends on them. */
const MOST_ASKED = 12;

async function findDependents(
  deps: ReportDeps,
  files: readonly ChangedFileText[] | null,
): Promise<readonly FoundDependent[] | null> {
  const asked = (files ?? []).filter(({ kind }) => kind !== "deleted").slice(0, MOST_ASKED);
  const changed = new Set((files ?? []).map(({ path }) => path));
  const found = new Map<string, { on: string[]; isProven: boolean }>();
  let isKnown = files !== null;
  for (const { path } of asked) {
    const rows = await deps.findDependents(path).catch(() => null);
    if (rows === null) isKnown = false;
    for (const row of rows ?? []) {
      if (changed.has(row.path)) continue;
      const known = found.get(row.path) ?? { on: [], isProven: false };
      known.on.push(path);
      known.isProven ||= row.isProven;
      found.set(row.path, known);
    }
  }
  if (!isKnown && found.size === 0) return null;
  return [...found].map(([path, row]) => ({ path, ...row }))
    .toSorted((a, b) => Number(b.isProven) - Number(a.isProven) || (a.path < b.path ? -1 : 1));
}

const MOST_MISSING = 5;

async function findMissing(
  { history }: ReportDeps,
  changed: readonly string[],
): Promise<SessionReport["together"]> {
  const known = await history.peek();
  return known === null ? [] : findUsualCompany(known.past, changed).slice(0, MOST_MISSING);
}

async function gatherOverview(deps: ReportDeps): Promise<ReportResult<OverviewReport>> {
  const [open, archived, logs, prices] = await Promise.all([
    deps.sessions.loadAll(),
    deps.sessions.listArchived(),
    deps.openLearning().then((learning) => learning.readOutcomes()),
    deps.openLearning().then((learning) => learning.readPrices()),
  ]);
  const states = open.flatMap((one) => one.kind === "loaded" ? one.checkpoint.state : []);
  const unreadable = open.flatMap((one) =>
    one.kind === "loaded" ? [] : String(one.problem.message)
  );
  if (open.length + archived.length + logs.finals.length + prices.length === 0) {
    return { kind: "refused", problem: makeNoneProblem() };
  }
  const report = buildOverview({
    states,
    archived,
    ...logs,
    prices,
    notices: [
      ...unreadable,
      ...(logs.damaged === 0
        ? []
        : [`${logs.damaged} damaged lines of the logs were passed over.`]),
    ],
  });
  return { kind: "report", report };
}
