/** Collects the facts about disk and records that the engine needs, and no others. */
import { writePresentTree } from "../context/present_tree.ts";
import { listTaskBranches } from "../../git/branches/branches.ts";
import { readHead } from "../../git/repository.ts";
import { buildCommitTree, compareSession } from "../../git/trees/commit_tree.ts";
import type { ChangedFile, Facts } from "../../phase/facts.ts";
import type { ParsedSubmission, PayloadOf } from "../../phase/payload/payloads.ts";
import type { Stage } from "../../phase/table/phases.ts";
import type { StaleEvidence } from "../../phase/tasks.ts";
import { findSubmittedStage } from "../../phase/decide.ts";
import { parseLines, parseReadLine } from "../../base/text/places.ts";
import type { CarriedTasks } from "../../evidence/carry.ts";
import { carryEvidence } from "../../evidence/carry.ts";
import type { EvidenceInput } from "../../evidence/check.ts";
import { checkEvidence } from "../../evidence/check.ts";
import { findConflictMarkers } from "../../evidence/leftovers/find_leftovers.ts";
import { parseLocations } from "../../evidence/location.ts";
import { findRemovedTests } from "../../evidence/tests/removed_tests.ts";
import { parseTestName } from "../../language/test_names.ts";
import { checkSlots } from "../../request/quotes.ts";
import type { SessionRecord } from "../../session/records.ts";
import { keepStageCalls, listEarlierCalls, listSearchCalls } from "../../session/records.ts";
import type { TreePath } from "../../base/paths.ts";
import type { OpenContext, SessionContext } from "../context/sessions.ts";
import { listLeftovers } from "../../evidence/leftovers/leftover_findings.ts";
import { findWeakened } from "../../evidence/tests/weakened_findings.ts";
import { readCited } from "./cited_lines.ts";
import { gatherExploration } from "./exploration_facts.ts";
import { judgeSeen } from "./seen_files.ts";
import { countLines, readObserved, readPathFacts, readProjectLines } from "./disk_facts.ts";
import { findSinceVerified } from "./since_verified.ts";

/** What the facts are gathered from. */
export interface GatherInput extends OpenContext {
  readonly records: readonly SessionRecord[];
  /** The tree in which the ledger judged this submission; claims are compared only with it. */
  readonly tree?: string | null;
}

type Gatherer = (
  input: GatherInput,
  data: unknown,
) => Promise<Partial<Facts>>;

/** What the server does in the agent's place, with the tool's whole answer in the reply: an agent may say that it has it. */
const DONE_FOR_AGENT: ReadonlySet<string> = new Set(["check_write_target", "review_changes"]);

/** The facts that every submission gets. */
export function gatherBaseFacts(input: GatherInput): Facts {
  const { deps, session, settings, records } = input;
  const answered = keepStageCalls(records, session.state.visit).filter(({ ok }) => ok);
  const calls = answered.filter(({ via }) => via !== "server").flatMap(listSearchCalls);
  const looks = answered.filter(({ via }) => via === "server").map(({ tool }) => tool);
  const calledTools = new Set<string>();
  for (const record of records) {
    // A call that was refused was made all the same.
    if (record.kind !== "call") continue;
    if (record.via === "server" && !DONE_FOR_AGENT.has(record.tool)) continue;
    for (const { tool } of listSearchCalls(record)) calledTools.add(tool);
  }
  return {
    now: deps.clock.now().toISOString(),
    limits: settings.limits,
    offered: deps.offered,
    calls,
    earlier: listEarlierCalls(records, session.state).filter(({ files }) =>
      files.some((path) => deps.isSourceFile(input.paths.toProject(path as TreePath)))
    ).flatMap(listSearchCalls),
    looks,
    calledTools: [...calledTools],
  };
}

/** All facts for one submission. */
export async function gatherFacts(input: GatherInput, parsed: ParsedSubmission): Promise<Facts> {
  const base = gatherBaseFacts(input);
  if (parsed.submission?.kind !== "payload") return base;
  const stage = findSubmittedStage(input.session.state, parsed.submission);
  const { data, common } = parsed.submission;
  const own = await GATHERERS[stage]?.(input, data) ?? {};
  if (common.rules === undefined) return { ...base, ...own };
  const cited = await gatherCited(input, common.rules);
  const paths = { ...own.paths, ...cited.paths };
  return { ...base, ...own, ...cited, paths, lines: { ...own.lines, ...cited.lines } };
}

/** What the disk has where rules are cited. */
async function gatherCited(
  input: GatherInput,
  rules: readonly { readonly rule: string; readonly source: string }[],
): Promise<Pick<Facts, "paths" | "lines" | "cited" | "nearby" | "better" | "sections">> {
  const files = rules.map(({ source }) => parseLines(source)?.path ?? source);
  const [paths, lines, texts] = await Promise.all([
    readPathFacts(input, files),
    countLines(input, files),
    readCited(rules, (path) => readProjectLines(input, path)),
  ]);
  return { paths, lines, ...texts };
}

const GATHERERS: Readonly<Partial<Record<Stage, Gatherer>>> = {
  DOCUMENT_RESEARCH: async (input, data) => {
    const payload = data as PayloadOf<"DOCUMENT_RESEARCH">;
    const [reviewed, cited, documents] = await Promise.all([
      readPathFacts(input, payload.documents_reviewed),
      gatherCited(input, payload.mandatory_rules ?? []),
      input.deps.listDocuments(),
    ]);
    const enabled = input.settings.documentsEnabled;
    const paths = { ...reviewed, ...cited.paths };
    return { ...cited, paths, documents: { enabled, total: documents.documents.length } };
  },
  QUERY_FRAME: async (input, data) => {
    const { slots, target_symbols: symbols } = data as PayloadOf<"QUERY_FRAME">;
    const request = input.session.state.query;
    const frame = checkSlots(request, slots ?? {});
    if (frame.problems.length > 0 || (symbols ?? []).length === 0) return { frame };
    const target = frame.slots.target_feature;
    const [measured, scale] = await Promise.all([
      input.deps.measureSymbols({
        symbols: symbols ?? [],
        target: target === null || target === undefined ? [] : [target.value, target.quote],
        request,
      }),
      input.deps.measureScale(symbols ?? []),
    ]);
    return { frame: { ...frame, symbols: measured }, scale };
  },
  EXPLORATION: async (input, data) => {
    const payload = data as PayloadOf<"EXPLORATION">;
    const { seen, ...paths } = await gatherSeen(input, payload.explored_files);
    const read = Object.values(seen).flatMap(({ by, target }) => by === "line" ? target.path : []);
    return { seen, ...paths, ...await gatherExploration(input, input.records, read) };
  },
  SEMANTIC: async (input, data) => {
    const { search_results: results } = data as PayloadOf<"SEMANTIC">;
    const files = results.map((entry) => typeof entry === "string" ? entry : entry.file);
    return await gatherSeen(input, files);
  },
  VERIFICATION: async (input, data) => {
    const files = listProofFiles(data as PayloadOf<"VERIFICATION">);
    return {
      paths: await readPathFacts(input, files),
      lines: await countLines(input, files),
    };
  },
  IMPACT_ANALYSIS: ({ records, session: { state } }) => {
    const own = keepStageCalls(records, state.visit).filter(({ ok }) => ok);
    const calls = own.some(({ impact }) => impact !== undefined)
      ? own
      : listEarlierCalls(records, state);
    return Promise.resolve({ impact: calls.flatMap(({ impact }) => impact ?? []) });
  },
  READY_PLAN: async (input) => ({ tree: await readJudgedTree(input) }),
  READY_IMPL: async (input, data) => {
    const tree = await readJudgedTree(input);
    const report = data as PayloadOf<"READY_IMPL">;
    const { state } = input.session;
    const task = state.tasks.find(({ id }) => id === report.task_id);
    const evidence = await checkEvidence({
      ...buildComparison(input, tree),
      task: {
        description: task?.description ?? "",
        items: task?.checklist.map(({ item }) => item) ?? [],
      },
      listFiles: () => input.deps.listFiles(),
    }, report.checklist);
    return { tree, evidence, markers: await findMarkers(input, tree) };
  },
  READY_COMPLETE: async (input, data) => {
    const tree = await readJudgedTree(input);
    const [changed, evidence, ownCommits, observed] = await Promise.all([
      listChanges(input, tree),
      carryToTree(input, tree),
      countOwnCommits(input),
      readObserved(input, data as PayloadOf<"READY_COMPLETE">),
    ]);
    const markers = await findMarkers(input, tree);
    return { tree, ...evidence, ownCommits, markers, ...changed, ...observed };
  },
  POST_IMPL_VERIFY: async (input) => ({ tree: await readJudgedTree(input) }),
  PRE_COMMIT: async (input, data) => {
    const tree = await readJudgedTree(input);
    const [changed, ownCommits, since, stale, observed] = await Promise.all([
      listChanges(input, tree),
      countOwnCommits(input),
      findSinceVerified(input, input.session, tree),
      findLost(input, tree),
      readObserved(input, data as PayloadOf<"PRE_COMMIT">),
    ]);
    const changes = changed.changes ?? [];
    const from = input.session.state.workspace.baselineTree;
    const [inseparable, { weakened }, leftovers] = await Promise.all([
      findMixed(input, tree, changes),
      findWeakened(input, { from, to: tree, changes }),
      listLeftovers(input, { from, to: tree, changes }),
    ]);
    const ofDiff = { inseparable, weakened, leftovers };
    return { tree, ownCommits, ...ofDiff, stale, ...since, ...changed, ...observed };
  },
  // The commit is made from the present files, not from those of the review.
  QUALITY_REVIEW: async (input) => {
    const tree = await readJudgedTree(input);
    const { prepared, workspace: { personOverlaps = [] } } = input.session.state;
    const since = await findSinceVerified(input, input.session, tree);
    if (personOverlaps.length + (prepared?.includePerson ?? []).length === 0) return since;
    const { changes = [] } = await listChanges(input, tree);
    const inseparable = await findMixed(input, tree, changes);
    return { ...since, changes, inseparable, stale: await findLost(input, tree) };
  },
};

/** Evidence that went with changed lines since the report: by the user, or with what was left behind. */
async function findLost(
  input: GatherInput,
  tree: string | null,
): Promise<readonly StaleEvidence[]> {
  const { tasks, visit, clearances, workspace: { personOverlaps = [] } } = input.session.state;
  const isTheirs = new Set([
    ...personOverlaps.map(({ treePath }) => treePath),
    ...clearances.flatMap((one) => one.isLayout === true && one.visit === visit ? one.path : []),
  ]);
  if (isTheirs.size === 0) return [];
  const isOnTheirs = (taskId: string, index: number) => {
    const item = tasks.find(({ id }) => id === taskId)?.checklist[index];
    return parseLocations(item?.evidence ?? "").some((place) => {
      const resolved = input.paths.toWorktree(place.path);
      return resolved.kind === "path" && isTheirs.has(resolved.path);
    });
  };
  const { stale } = await carryToTree(input, tree);
  return stale.map(({ taskId, items }) => ({
    taskId,
    items: items.filter((index) => isOnTheirs(taskId, index)),
  })).filter(({ items }) => items.length > 0);
}

/** Files that both sides changed and that a three-way merge cannot separate. */
async function findMixed(
  input: GatherInput,
  tree: string | null,
  changes: readonly ChangedFile[],
): Promise<readonly string[]> {
  const { repo, paths } = input;
  const shared = changes.filter(({ isShared }) => isShared).map(({ path }) => path);
  if (tree === null || shared.length === 0) return [];
  const head = await readHead(repo);
  if (head.commit === null) return [];
  const { baselineTree, cleanTree, mergeParent, personOverlaps = [] } =
    input.session.state.workspace;
  if (baselineTree === null) return [];
  const { inseparable } = await buildCommitTree(repo, {
    headCommit: head.commit,
    baselineTree,
    currentTree: tree,
    ...(cleanTree === null ? {} : { cleanTree }),
    mergeParent,
    overlaps: personOverlaps,
    paths: shared.flatMap((path) => {
      const resolved = paths.toWorktree(path);
      return resolved.kind === "path" ? [resolved.path] : [];
    }),
  });
  return inseparable.map((path) => paths.toProject(path));
}

/** Files that the evidence of hypotheses names. */
export function listProofFiles(payload: PayloadOf<"VERIFICATION">): readonly string[] {
  return payload.hypotheses_verified.flatMap(({ evidence }) =>
    (evidence ?? "").split(";").flatMap((part) => parseLines(part)?.path ?? [])
  );
}

/** Whether the project has a file of a language that the program knows as source. */
export async function hasSource(context: SessionContext): Promise<boolean> {
  return (await context.deps.listFiles()).some(context.deps.isSourceFile);
}

/** What the disk has at the named paths, and what the session has seen of them. */
async function gatherSeen(input: GatherInput, entries: readonly string[]) {
  const [paths, seen] = await Promise.all([
    readPathFacts(input, entries.map((entry) => parseReadLine(entry)?.path ?? entry)),
    judgeSeen(input, input.records, entries),
  ]);
  return { paths, seen };
}

/** The tree of this submission; written only where the ledger has not done so. */
async function readJudgedTree(input: GatherInput): Promise<string | null> {
  return input.tree ?? await writePresentTree(input);
}

/** Files that the session changed, and removed test files among them; both absent where that is not known. */
async function listChanges(
  input: GatherInput,
  tree: string | null,
): Promise<Pick<Facts, "changes" | "removedTests">> {
  const { repo, paths } = input;
  const { baselineTree, cleanTree, personOverlaps = [] } = input.session.state.workspace;
  if (tree === null || baselineTree === null) return {};
  const compared = await compareSession(repo, {
    baselineTree,
    currentTree: tree,
    headCommit: cleanTree ?? baselineTree,
    overlaps: personOverlaps,
    withLineCounts: input.session.state.size?.level === "small",
  });
  const shared = new Set(compared.both);
  const after = new Map(
    personOverlaps.map(({ treePath, after }) => [treePath, after ?? "removed"]),
  );
  const changes = compared.session.map((change) => {
    const { path, from, kind, oldOid, addedLines, removedLines = 0 } = change;
    const overlap = [path, from ?? path].flatMap((name) => after.get(name) ?? []);
    const personOid = [oldOid, ...overlap].join(" ");
    const isShared = shared.has(path);
    return {
      path: paths.toProject(path),
      kind,
      isShared,
      ...(isShared ? { personOid } : {}),
      ...(addedLines === undefined
        ? {}
        : { lines: addedLines + removedLines, isTest: parseTestName(path) !== null }),
    };
  });
  const removed = await findRemovedTests(repo, compared.session);
  const removedTests = removed.map(({ path, changedPath, how }) => ({
    path: paths.toProject(path),
    changedPath: paths.toProject(changedPath),
    how,
  }));
  return { changes, removedTests };
}

/** The evidence of completed tasks as it is in a tree, and the evidence that no longer holds. */
export async function carryToTree(
  input: OpenContext,
  tree: string | null,
): Promise<CarriedTasks> {
  return await carryEvidence(input.session.state.tasks, {
    ...buildComparison(input, tree),
    toProject: (path) => input.paths.toProject(path),
  });
}

/** What evidence is compared with. */
export function buildComparison(
  { trees, paths, session: { state } }: OpenContext,
  currentTree: string | null,
): EvidenceInput {
  return {
    trees,
    toWorktree: (path) => paths.toWorktree(path),
    toAbsolute: (path) => paths.toAbsolute(path),
    baselineTree: state.workspace.baselineTree,
    currentTree,
    rules: state.rules.map(({ rule }) => rule),
  };
}

async function countOwnCommits(input: GatherInput): Promise<number> {
  const { repo } = input;
  const { taskBranch } = input.session.state.workspace;
  if (taskBranch === null) return 0;
  const branch = (await listTaskBranches(repo)).find(({ name }) => name === taskBranch);
  return branch?.commitCount ?? 0;
}

/** Files of a conflict that still have markers, by the agent's paths. */
async function findMarkers(input: GatherInput, tree: string | null): Promise<readonly string[]> {
  const { repo, paths } = input;
  if (tree === null) return [];
  // The state names the files too, because the agent may plan again in other words.
  const treePaths = input.session.state.workspace.conflictTreePaths ?? [];
  if (treePaths.length === 0) return [];
  const marked = await findConflictMarkers(repo, tree, treePaths);
  return marked.map((treePath) => paths.toProject(treePath));
}
