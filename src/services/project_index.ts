/**
 * Puts together the files of a project and its code index, from git, the settings and the user's
 * folders. Nothing is opened before the first question.
 */
import { lazyObject, loadOnce } from "../base/lazy.ts";
import { join } from "node:path";
import { waitAtMost } from "../base/clock.ts";
import type { Analyser } from "../analysis/analyser.ts";
import { describeCut } from "../backends/regular_files.ts";
import type { ProjectConfig } from "../base/settings/config_keys.ts";
import type { SettingsReader } from "../context/settings.ts";
import { createEmbedder } from "../embedding/embedder.ts";
import { findModelFault, MODEL_ID } from "../embedding/model_files.ts";
import { parseVerifyCommands } from "../evidence/runs/verify_commands.ts";
import type { OpenRepo } from "../git/private_repository.ts";
import { formatCount } from "../base/text/plain_text.ts";
import type { CodeIndex, IndexSettings, IndexStatus, MeaningUse } from "../index/index_api.ts";
import { createCodeIndex } from "../index/code_index.ts";
import type { SeenRuns } from "../index/seen_runs.ts";
import { NO_RUNS } from "../index/seen_runs.ts";
import { findExtension } from "../index/vectors/sqlite_vec.ts";
import type { Extension, RunParts } from "./extension.ts";
import { askFeatures } from "./extension.ts";
import type { ProjectParts } from "./services_api.ts";
import type { ListProject, Missing } from "./project_files.ts";
import { createProjectLister, toIndexDir, toProjectIndexDir } from "./project_files.ts";
import { isSiblingWorktree } from "../place/git_store.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { ExplorerOptions } from "../explore/index_access.ts";
import { TimeBudget } from "../explore/index_access.ts";
import type { FindLearnedTerms } from "../explore/meaning/map_hits.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import { createHistory } from "../history/repository_history.ts";
import type { ImpactAnalyzer, ImpactOptions } from "../impact/analyze.ts";
import { createMeaningSearch } from "../explore/meaning/semantic_search.ts";
import type { FactStore } from "../resolve/fact_store.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { RankingMemory } from "../ranking/content_facts.ts";
import { parseMessageTerms } from "../ranking/request_features.ts";
import { findWordTableFault } from "../word_vectors/load_table.ts";

/** What is known of a project's code: its files, its index, and what answers questions. */
export interface CodeKnowledge {
  readonly index: CodeIndex;
  readonly explorer: Explorer;
  readonly meaning: MeaningSearch;
  readonly impact: ImpactAnalyzer;
  readonly history: RepositoryHistory;
  /** Where names and modules lead, as references and impact know it. */
  readonly facts: Pick<FactStore, "ask">;
  /** What was seen when the project's tests ran. */
  openRuns(): Promise<SeenRuns>;
  /** Takes what happened to the index since the last answer and has to stand in the next one. */
  takeNotices(): readonly string[];
  /** Folders of repositories inside the project, as the files were last listed; further worktrees of its own are none. */
  listNested(): readonly string[];
  /** What the index holds; null where none was built yet. This never builds one. */
  readIndexStatus(): Promise<IndexStatus | null>;
  /** What searches by meaning use. Reads the whole model. */
  readMeaningFacts(): Promise<MeaningParts>;
}

/** What searches by meaning use, as found on this machine. */
export interface MeaningParts {
  /** Why there are no word vectors; null when there are. */
  readonly wordFault: string | null;
  /** The model; null where the settings turn it off. */
  readonly model: ModelParts | null;
}

/** The embedding model, and the extension of the database that compares its vectors. */
export interface ModelParts {
  readonly modelId: string;
  /** Which questions it takes part in. */
  readonly use: Exclude<MeaningUse, "none">;
  readonly modelFault: string | null;
  readonly extension: string | null;
  readonly extensionFault: string;
}

/** Builds everything that is known of a project's code. */
export function createCodeKnowledge(
  parts: ProjectParts & {
    readonly askMap: FindLearnedTerms;
    readonly features: readonly Extension[];
  },
  analyser?: Analyser,
): CodeKnowledge {
  const { projectRoot, backends, logger, isBrief } = parts;
  const untold: string[] = [];
  let missing: Missing = { cut: null, repositories: [] };
  const index = createProjectIndex({ ...parts, analyser }, {
    tell: (notice) => untold.push(notice),
    onListed: (found) => missing = found,
  });
  const listFiles: ListProject = (list) => index.listFiles(list);
  const patience = isBrief ? { patience: new TimeBudget() } : {};
  const basis = { projectRoot, listFiles, backends, logger, index, isBrief, ...patience };
  const { openRuns, names } = openSources(basis, { ...parts, index });
  const explorer = openExplorer(names);
  const history = createHistory({
    openRepo: parts.openRepo,
    toFolder: (repo) => toIndexDir(repo, parts),
    fallbackFolder: toProjectIndexDir(parts.stateDir, projectRoot),
    toTerms: parseMessageTerms,
    isBrief,
    onNotice: (notice) => logger.note(notice),
  });
  const ranking = { history, memory: new RankingMemory() };
  const meaning = createMeaningSearch({
    ...basis,
    ...ranking,
    loadScales: async () => (await parts.settings.read()).config.values.search_weights,
    askMap: parts.askMap,
  });
  const impact = openImpact(async () => ({
    ...await names(),
    ...ranking,
    openRepo: parts.openRepo,
    loadPatterns: async () => (await parts.settings.read()).context.values.document_search,
    loadCommands: async () =>
      parseVerifyCommands((await parts.settings.read()).config.values.verify).commands,
  }));
  const readIndexStatus = async () => await hasIndex(parts) ? await index.status() : null;
  const readMeaningFacts = () => readMeaningParts(parts.settings);
  const takeNotices = () => [...untold.splice(0), ...describeCut(missing.cut)];
  const listNested = () =>
    missing.repositories.filter((path) => !isSiblingWorktree(projectRoot, join(projectRoot, path)));
  const facts: CodeKnowledge["facts"] = {
    ask: async (work, options) => await (await names()).facts.ask(work, options),
  };
  const answering = { index, explorer, meaning, impact, history, facts, takeNotices };
  return { ...answering, openRuns, listNested, readIndexStatus, readMeaningFacts };
}

/** What questions are asked of, beside the index: what indexers proved, what runs showed, and facts. */
function openSources<Basis extends ExplorerOptions>(
  basis: Basis,
  parts: RunParts & { readonly features: readonly Extension[] },
) {
  const { index } = basis;
  const openRuns = loadOnce(async () =>
    await askFeatures(parts.features, "openRuns")?.(parts) ?? NO_RUNS
  );
  const names = loadOnce(async () => {
    const proofs = await askFeatures(parts.features, "openProofs")?.(parts);
    const runs = await openRuns();
    const sources = { ...basis, runs, ...(proofs === undefined ? {} : { proofs }) };
    const { FactStore } = await import("../resolve/fact_store.ts");
    return { ...sources, facts: new FactStore({ ...sources, looked: () => index.looked() }) };
  });
  return { openRuns, names };
}

function openExplorer(read: () => Promise<ExplorerOptions>): Explorer {
  const load = loadOnce(async () => {
    const code = import("../explore/project_explorer.ts");
    const options = await read();
    return (await code).createExplorer(options);
  });
  return lazyObject(load, {});
}

function openImpact(read: () => Promise<ImpactOptions>): ImpactAnalyzer {
  const load = loadOnce(async () => {
    const code = import("../impact/analyze.ts");
    const options = await read();
    return (await code).createImpactAnalyzer(options);
  });
  return lazyObject(load, {});
}

async function hasIndex(parts: ProjectParts): Promise<boolean> {
  const repo = await parts.openRepo();
  const folders = [toIndexDir(repo, parts), chooseFallback(parts).fallbackFolder];
  const infos = await Promise.all(
    folders.map((folder) =>
      folder === undefined ? null : Deno.stat(join(folder, "index.db")).catch(() => null)
    ),
  );
  return infos.some((info) => info !== null);
}

async function readMeaningParts(settings: SettingsReader): Promise<MeaningParts> {
  const wordFault = await findWordTableFault();
  const use = MEANING_OF[(await settings.read()).config.values.embedding_model];
  return { wordFault, model: use === "none" ? null : await readModelParts(use) };
}

async function readModelParts(use: ModelParts["use"]): Promise<ModelParts> {
  const [modelFault, found] = await Promise.all([findModelFault(), findExtension()]);
  const extension = found.path === null ? null : `sqlite-vec ${found.version}, ${found.path}`;
  const extensionFault = found.path === null ? found.reason : "";
  return { modelId: MODEL_ID, use, modelFault, extension, extensionFault };
}

/**
 * Brings the index up to date, and then the past, if the configuration wants that at a start; a failure is only
 * logged.
 *
 * @param options `beforeSync`: what comes first.
 */
export async function syncOnStart(
  { index, history }: Pick<CodeKnowledge, "index" | "history">,
  { settings, logger, signal, beforeSync }: Pick<ProjectParts, "settings" | "logger"> & {
    readonly signal: AbortSignal;
    readonly beforeSync: () => Promise<unknown>;
  },
): Promise<void> {
  try {
    if (!(await settings.read()).config.values.sync_on_start) return;
    await waitAtMost(beforeSync(), LIMITS.answerMs.value);
    await index.sync({ signal });
    // It logs itself what cannot be read.
    void history.refresh().catch(() => {});
    (await index.meaning("all"))?.start();
  } catch (failure) {
    if (signal.aborted) return;
    const message = failure instanceof Error ? failure.message : String(failure);
    logger.note(`the index could not be brought up to date: ${message}`);
  }
}

function formatWaitText(paths: readonly string[]): string {
  const [path] = paths;
  const what = paths.length === 1 ? path : formatCount(paths.length, "file");
  return `Reading ${what}, changed since the last look …`;
}

/**
 * The index, in git's common folder for all worktrees, or without git in the project's own folder.
 */
function createProjectIndex(
  options: ProjectParts & {
    readonly analyser: Analyser | undefined;
    readonly features: readonly Extension[];
  },
  { tell, onListed }: {
    readonly tell: (notice: string) => void;
    readonly onListed: (missing: Missing) => void;
  },
): CodeIndex {
  return openWhenAsked(async () => {
    const { projectRoot, openRepo, settings, logger, analyser, isBrief, features } = options;
    const repo = await openRepo();
    const shared = await askFeatures(features, "openShared")?.(options);
    return createCodeIndex({
      projectRoot,
      folder: toIndexDir(repo, options),
      ...chooseFallback(options),
      // A nested repository is listed as left out, so that its files do not count as missing.
      listFiles: createProjectLister(projectRoot, openRepo, {
        hasRepositories: true,
        maxUntracked: LIMITS.plainFiles.value,
        onListed,
      }),
      listDependsOn: await listDependencies(openRepo),
      loadSettings: async () => buildIndexSettings(await settings.read()),
      onNotice: (notice) => logger.note(notice),
      onSetAside: (notice) => {
        logger.note(notice);
        tell(notice);
      },
      ...(isBrief ? { onWait: (paths) => logger.tellWaiting?.(formatWaitText(paths)) } : {}),
      embedder: createEmbedder(),
      ...(shared === undefined ? {} : { shared }),
      ...(analyser === undefined ? {} : { analyser }),
    });
  });
}

async function listDependencies(openRepo: OpenRepo): Promise<readonly string[]> {
  const repo = await openRepo();
  return repo === null ? [] : [join(repo.gitDir, "index"), join(repo.commonDir, "info", "exclude")];
}

/** The second choice for the index's folder, where the project cannot be written to. */
function chooseFallback(
  { stateDir, projectRoot }: ProjectParts,
): { readonly fallbackFolder?: string } {
  const folder = toProjectIndexDir(stateDir, projectRoot);
  return folder === null ? {} : { fallbackFolder: folder };
}

const MEANING_OF: Readonly<Record<ProjectConfig["embedding_model"], MeaningUse>> = {
  auto: "foreign",
  "multilingual-e5-small": "all",
  none: "none",
};

/** What the configuration says of an index. */
export function buildIndexSettings(
  { config }: Awaited<ReturnType<SettingsReader["read"]>>,
): IndexSettings {
  const { source_dirs, exclude_patterns, chunk_max_tokens, sync_ttl_hours } = config.values;
  const { embedding_model, max_chunks } = config.values;
  return {
    sourceDirs: source_dirs,
    excludePatterns: exclude_patterns,
    chunkMaxTokens: chunk_max_tokens,
    syncTtlHours: sync_ttl_hours,
    maxChunks: max_chunks,
    meaningOf: MEANING_OF[embedding_model],
  };
}

/** An index whose folder is looked up when the index is first needed. */
function openWhenAsked(make: () => Promise<CodeIndex>): CodeIndex {
  let opened: CodeIndex | undefined;
  let isClosed = false;
  const open = loadOnce(async () => opened = await make());
  return lazyObject(() => isClosed ? Promise.reject(new Error("The index is closed")) : open(), {
    // Neither waits for an index that nobody asked for.
    hold: () => opened?.hold() ?? { [Symbol.dispose]: () => {} },
    rest: () => opened?.rest(),
    close: async () => {
      isClosed = true;
      await (await open.started?.catch(() => null))?.close();
    },
  });
}
