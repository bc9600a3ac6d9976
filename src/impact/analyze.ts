/**
 * Answers what a change can break. It finds the targets, follows the graph, and looks at names,
 * documents and markup. Then it puts the files in the order in which to look at them.
 */
import { readProjectSource } from "../base/files/source_text.ts";
import { parseTestName } from "../language/test_names.ts";
import { chooseDecisions, findLikely } from "./likely/find_likely.ts";
import type { LikelyFile } from "./likely/likely_files.ts";
import type { DocumentPatterns } from "../base/text/document_files.ts";
import type { Problem } from "../base/problem.ts";
import type { OpenRepo } from "../git/private_repository.ts";
import type { IndexFreshness } from "../explore/explorer.ts";
import type { ExplorerOptions } from "../explore/index_access.ts";
import { groupTitles } from "../index/seen_runs.ts";
import { listUnfollowedLanguages, takeOmittedFileNotices } from "../explore/index_access.ts";
import type { NameHolders } from "../explore/names/text_mentions.ts";
import { readNameHolders } from "../explore/names/text_mentions.ts";
import { FactStore } from "../resolve/fact_store.ts";
import type { UsualCompany } from "../history/past.ts";
import type { AskedHistory } from "./by_name.ts";
import { addByName, addNamedTests, findByName, findCompany, listOwnNames } from "./by_name.ts";
import { RankingMemory } from "../ranking/content_facts.ts";
import { askUntilStable } from "../explore/settled.ts";
import type { AffectedFile, Dependents, Edge, NameMatches, Seeds } from "./affected.ts";
import { listImpactFiles, rankAffectedFiles, removeImpactPlaces } from "./affected.ts";
import { findDependents } from "./dependents.ts";
import type { DiffMemory } from "./diff.ts";
import { buildWorkingDiff, openGraph, readDiff } from "./diff.ts";
import type { DiffFacts } from "./review/diff_facts.ts";
import { describeDiff, describePinned } from "./review/diff_facts.ts";
import type { DocumentMention } from "./documents.ts";
import { chooseKeywords, findDocumentMentions } from "./documents.ts";
import type { CrossReferences, Identifier } from "./markup.ts";
import {
  chooseIdentifiers,
  findCrossReferences,
  isMarkup,
  isPage,
  isPureMarkup,
  parsePageClasses,
} from "./markup.ts";
import type { NamingMatches } from "./naming.ts";
import { addTestsOf, findNamed, findTestsOf } from "./naming.ts";
import type { AffectedTests, SeenChange, SeenTestsOfChange } from "./seen.ts";
import { addSeenEdges, findSeen, listAffectedTests, MAX_RUN_FILES } from "./seen.ts";
import type { OwnCommand, TestRun } from "./test_command.ts";
import { buildTestRun, chooseCommands, readTestTools } from "./test_command.ts";
import { parseTargetPaths } from "./target_paths.ts";
import type { Target, Targets } from "./targets.ts";
import { findTargets, listUnseen } from "./targets.ts";

/** What an analysis works with. */
export interface ImpactOptions extends ExplorerOptions {
  readonly openRepo: OpenRepo;
  /** Which documents are searched, by the configuration. */
  readonly loadPatterns: () => Promise<DocumentPatterns>;
  /** The project's verification commands, by the configuration. */
  readonly loadCommands: () => Promise<readonly OwnCommand[]>;
  /** The repository's past; absent where nothing reads it. */
  readonly history?: AskedHistory;
  /** What likely files are ranked with, shared by all that rank; default one of its own. */
  readonly memory?: RankingMemory;
}

/** What is asked. */
export interface ImpactInput {
  readonly targetFiles: readonly string[];
  readonly symbols: readonly string[];
  /** Also what differs from the last commit. */
  readonly isDiff: boolean;
  readonly changeDescription: string;
  /** Steps from the change, 1 to 3. */
  readonly depth: number;
}

/** What a change can break. */
export interface ImpactFound {
  readonly kind: "found";
  readonly mode: "standard" | "relaxed_markup";
  readonly targets: readonly Target[];
  /** The definitions that change, for who asks other repositories about them. */
  readonly seeds: Seeds;
  /** Those that must be verified first. */
  readonly files: readonly AffectedFile[];
  /** Files that may have to change too, best first: by the graph, the past, names and the request. */
  readonly likely: readonly LikelyFile[];
  /** Files that usually changed with a target, the surest first. */
  readonly company: readonly UsualCompany[];
  /** Whether the repository's past spoke for the likely files: not where there is none, or a young one. */
  readonly hasPast: boolean;
  /** Places in the targets themselves that use what changes: nobody has to decide about them again. */
  readonly own: readonly Edge[];
  /** Lines of the places, by path. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly tests: readonly string[];
  /** Why each of the tests is one. */
  readonly testProofs: readonly AffectedTests[];
  /** What was seen of the change in runs of the tests; null where nothing was recorded that tells of it. */
  readonly seen: SeenTestsOfChange | null;
  /** Runs the tests, of many the nearest where they were seen to run what changes; null where there are none. */
  readonly testRun: TestRun | null;
  readonly naming: NamingMatches;
  readonly documents: readonly DocumentMention[];
  readonly keywords: readonly string[];
  readonly crossReferences: CrossReferences;
  /** Places that name a changed symbol and lead nowhere for certain. */
  readonly unresolved: number;
  /** Languages of targets whose uses nothing follows: of them no file is listed, whoever depends on them. */
  readonly unfollowed: readonly string[];
  /** Whether an indexer of the language proved any of the edges. */
  readonly isProven: boolean;
  readonly notices: readonly string[];
  readonly freshness: IndexFreshness;
}

/** An analysis, or why there is none. */
export type ImpactAnswer =
  | ImpactFound
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Answers what a change can break. */
export interface ImpactAnalyzer {
  analyze(input: ImpactInput, options?: { readonly signal?: AbortSignal }): Promise<ImpactAnswer>;
  /** What the index says of the working diff in these files, for its review; null where it does not know all files. */
  describeDiff(
    paths: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<DiffFacts | null>;
  /** Lines of tests that expect a text which the working diff took out of these files; as `tests_expect_removed`. */
  describePinned(
    paths: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly string[]>;
}

/** Makes the analyser of one project; what it read is remembered while the index stays the same. */
export function createImpactAnalyzer(context: ImpactOptions): ImpactAnalyzer {
  const facts = context.facts ?? new FactStore(context);
  const { memory = new RankingMemory() } = context;
  const diffs: DiffMemory = { key: "", texts: [] };
  return {
    analyze: (input, options = {}) =>
      askUntilStable<ImpactFound, Exclude<ImpactAnswer, ImpactFound>>(
        () => analyze({ ...context, facts, memory }, input, options),
        { index: context.index, filesOf: listImpactFiles, without: removeImpactPlaces },
      ),
    describeDiff: (paths, options = {}) =>
      describeDiff({ ...context, facts, diffs }, paths, options),
    describePinned: (paths, options = {}) =>
      describePinned({ ...context, facts, diffs }, paths, options),
  };
}

interface AnalysisContext extends ImpactOptions {
  readonly facts: FactStore;
  readonly memory: RankingMemory;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Files whose lines are shown beside their places. */
const MAX_SHOWN_TEXTS = 300;

async function analyze(
  context: AnalysisContext,
  input: ImpactInput,
  options: CallOptions,
): Promise<ImpactAnswer> {
  const asked = parseTargetPaths(context.projectRoot, input.targetFiles);
  if (asked.problems.length > 0) return { kind: "refused", problems: asked.problems };
  const open = await openGraph(context, options);
  if (open.kind === "refused") return open;
  const changed = input.isDiff ? await readDiff(context, options) : [];
  if ("kind" in changed) return changed;
  const list = await context.listFiles(options);
  const gone = changed.map(({ from }) => from).filter((path) => !list.includes(path));
  const { symbols, depth } = input;
  const runs = await context.runs?.load() ?? null;
  const graph = await context.facts.ask((view, openFacts) => {
    const diff = buildWorkingDiff(view, changed);
    const facts = openFacts(diff.removed);
    const targets = findTargets(facts, { files: asked.paths, symbols, diff: diff.files });
    if (targets.kind === "refused") return targets;
    const paths = targets.targets.map(({ path }) => path);
    const walk = { depth: isPureMarkup(paths) ? 1 : depth, ...options };
    const dependents = findDependents(facts, targets.seeds, walk);
    const { seeds } = targets;
    const { edges } = dependents;
    const seen = runs && findSeen(runs, { view, targets: paths, seeds, edges, isTest, list });
    const followed = [...new Set(seeds.symbols.map(({ name }) => name))];
    const holders = readNameHolders(facts, listOwnNames(targets), followed);
    return { ...targets, dependents, seen, holders };
  }, { gone, ...options });
  if (graph.kind === "refused") return graph;
  const targets = await Promise.all(
    graph.targets.map((one) => asked.paths.includes(one.path) ? markLeftOut(context, one) : one),
  );
  const notices = [...asked.notices, ...graph.notices];
  const found = { input, graph: { ...graph, targets, notices }, list };
  return await buildAnswer(context, { ...found, freshness: open.freshness }, options);
}

/** A file that is asked for, is there and is not in the index is left out of it, not new. */
async function markLeftOut(context: AnalysisContext, target: Target): Promise<Target> {
  const isLeftOut = target.scope === "new" &&
    await readProjectSource(context, target.path) !== undefined;
  return isLeftOut ? { ...target, scope: "not_indexed" } : target;
}

interface Graph extends Targets {
  readonly dependents: Dependents;
  readonly holders: NameHolders;
  readonly seen: SeenChange | null;
}

async function readText(context: AnalysisContext, path: string): Promise<string> {
  return await readProjectSource(context, path) ?? "";
}

interface Material {
  readonly input: ImpactInput;
  readonly graph: Graph;
  readonly list: readonly string[];
  readonly freshness: IndexFreshness;
}

/** What names, documents and markup say beside the graph. */
async function findBeside(
  context: AnalysisContext,
  { input: { changeDescription }, graph: { targets, seeds }, list }: Material,
  options: CallOptions,
) {
  const paths = targets.map(({ path }) => path);
  const live = targets.filter(({ scope }) => scope !== "new");
  const named = targets.filter(({ scope }) => scope === "symbols");
  const symbols = named.flatMap(({ symbols }) => symbols);
  const keywords = chooseKeywords(changeDescription, { targets: paths, symbols });
  const patterns = await context.loadPatterns();
  const identifiers = paths.some(isMarkup)
    ? chooseIdentifiers(changeDescription, seeds.symbols, await readPageClasses(context, paths))
    : [];
  const markup = { targets: paths, files: list, identifiers, ...options };
  const [documents, crossReferences] = await Promise.all([
    findDocumentMentions(context, { files: list, keywords, patterns, ...options }),
    findCrossReferences(context, markup),
  ]);
  const naming = findNamed(live.map(({ path }) => path), list);
  return { naming, keywords, documents, crossReferences };
}

async function buildAnswer(
  context: AnalysisContext,
  material: Material,
  options: CallOptions,
): Promise<ImpactFound> {
  const { input: { changeDescription }, graph, list, freshness } = material;
  const { keywords, ...beside } = await findBeside(context, material, options);
  const { naming } = beside;
  const paths = graph.targets.map(({ path }) => path);
  const isRelaxed = isPureMarkup(paths);
  const live = graph.targets.filter(({ scope }) => scope !== "new");
  const isWhole = live.some(({ scope }) => scope === "whole");
  const { seen } = graph;
  const edges = addSeenEdges(graph.dependents.edges, seen?.edges ?? []);
  const { files, own, tests: near } = rankAffectedFiles({
    edges,
    targets: paths,
    beside: listBeside(beside),
    namedTests: naming.tests,
    symbolTests: findTestsOf(live.flatMap(({ symbols }) => symbols), list),
    isWhole,
    isTest,
  });
  const question = { request: changeDescription, targets: paths, list };
  const ownTests = naming.tests;
  const { likely, hasPast } = await findLikely(context, { ...question, affected: files, ownTests });
  const isWeighed = isWhole && hasPast && changeDescription.trim() !== "";
  const decided = isRelaxed
    ? files.map((file) => ({ ...file, isMust: false }))
    : chooseDecisions({ files, likely, isWeighed, isTest });
  const named = await findByName(context, graph, options);
  const company = await findCompany(context, paths, list);
  const shown = addByName(decided, named.edges, { targets: paths, company, isTest });
  const linked = addNamedTests(addTestsOf(shown, near, list), named.edges, isTest);
  const unfollowed = listUnfollowedLanguages(live.map(({ path }) => path));
  return {
    kind: "found",
    mode: isRelaxed ? "relaxed_markup" : "standard",
    targets: graph.targets,
    seeds: graph.seeds,
    files: shown,
    likely,
    hasPast,
    own,
    lines: await readLines(context, listImpactFiles({ files: shown, own })),
    ...await planTests(context, { tests: linked, edges, list, seen, targets: paths }),
    ...beside,
    keywords: keywords.map(({ word }) => word),
    unresolved: graph.dependents.unresolved,
    isProven: graph.dependents.isProven,
    unfollowed,
    company,
    notices: await listNotices(context, graph, [
      ...listUnseen(live, unfollowed),
      ...named.notices,
    ]),
    freshness,
  };
}

async function listNotices(
  { index, facts }: AnalysisContext,
  graph: Graph,
  own: readonly string[],
): Promise<readonly string[]> {
  const leftOut = await index.read((view) => takeOmittedFileNotices(view, index));
  return [...own, ...leftOut, ...facts.toNotices(), ...graph.notices, ...graph.dependents.notices];
}

function isTest(path: string): boolean {
  return parseTestName(path) !== null;
}

function listBeside({ naming, documents, crossReferences }: {
  readonly naming: NamingMatches;
  readonly documents: readonly DocumentMention[];
  readonly crossReferences: CrossReferences;
}): NameMatches {
  const { htmlFiles, cssFiles, jsFiles } = crossReferences;
  return [
    ...naming.tests.map((path) => [path, "test by name"] as const),
    ...naming.factories.map((path) => [path, "factory by name"] as const),
    ...naming.seeders.map((path) => [path, "seeder by name"] as const),
    ...[...htmlFiles, ...cssFiles, ...jsFiles].map(({ file, identifier }) =>
      [file, `names ${identifier}`] as const
    ),
    ...documents.map(({ file }) => [file, "document"] as const),
  ];
}

/** Classes that the changed pages name; a change of one file seldom touches more pages than this. */
const MAX_PAGES = 5;

async function readPageClasses(
  context: AnalysisContext,
  paths: readonly string[],
): Promise<readonly Identifier[]> {
  const pages = paths.filter(isPage).slice(0, MAX_PAGES);
  const texts = await Promise.all(pages.map((path) => readText(context, path)));
  return texts.flatMap(parsePageClasses);
}

/** The tests to run with what speaks for each, and the command for them. */
async function planTests(
  context: AnalysisContext,
  { seen, targets, ...linked }: Parameters<typeof listAffectedTests>[1] & {
    readonly seen: SeenChange | null;
    readonly targets: readonly string[];
  },
) {
  const testProofs = listAffectedTests(seen, linked);
  const tests = testProofs.map(({ file }) => file);
  const nearest = seen === null ? tests : tests.slice(0, MAX_RUN_FILES);
  const own = chooseCommands(await context.loadCommands(), {
    recorded: seen?.extent.commands ?? [],
    tests: nearest,
  });
  const tools = await readTestTools(linked.list, (path) => readText(context, path));
  const titles = groupTitles([...seen?.tests ?? [], ...seen?.callerTests ?? []]);
  const symbols = await context.index.read((view) => view.listSymbolsOf(nearest));
  const names = new Map(nearest.map((path, at) => {
    const own = (symbols[at] ?? []).map(({ qualifiedName }) => qualifiedName);
    return [path, titles.get(path) ?? own];
  }));
  const testRun = buildTestRun(nearest, { own, targets, tools, names });
  return { tests, testProofs, testRun, seen: seen && { ...seen, run: nearest.length } };
}

async function readLines(
  context: AnalysisContext,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted = [...new Set(paths)].slice(0, MAX_SHOWN_TEXTS);
  const texts = await Promise.all(
    wanted.map(async (path) => [path, await context.facts.readLines(path)] as const),
  );
  return new Map(texts);
}
