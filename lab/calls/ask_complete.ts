/**
 * Holds answers that are called complete against a compiler and against the whole words of the text: of declarations that
 * are called, how many answers of references and impact are complete, and which have a further use.
 */
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import type { Repository } from "../../src/git/repository.ts";
import { createImpactAnalyzer } from "../../src/impact/analyze.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import type { CallSite, JudgedCalls, Place } from "./call_sites.ts";

/** Declarations that are asked about, drawn evenly: each is asked twice. */
const ASKED = 200;
const ALL = 1_000_000;

/** What became of the answers about some declarations. */
export interface CompleteScore {
  readonly asked: number;
  /** Answers called complete, of references and of impact. */
  readonly references: number;
  readonly impact: number;
  /** Uses that a compiler knows and a complete answer lacks. */
  readonly further: readonly string[];
  /** Lines with the whole word that a complete answer of references lacks: for the eye of a person. */
  readonly words: readonly string[];
}

/** Asks about declarations that the judge saw called. */
export async function askComplete(
  repo: Repository,
  index: CodeIndex,
  { sites }: JudgedCalls,
): Promise<CompleteScore> {
  const { explorer, analyzer } = openDoors(repo, index);
  const score = {
    asked: 0,
    references: 0,
    impact: 0,
    further: [] as string[],
    words: [] as string[],
  };
  for (const { place, own } of drawDeclared(sites)) {
    const hit = await index.read((view) =>
      view.listSymbols(place.path).find(({ line }) => line === place.line)
    );
    if (hit === undefined) continue;
    score.asked++;
    const { name, qualifiedName } = hit;
    const page = { symbol: name, includeText: false, maxResults: ALL };
    const found = await explorer.findReferences(page);
    if (found.kind === "found" && found.notices === undefined) {
      score.references++;
      const shown = new Set(found.references.map(({ path, line }) => `${path}:${line}`));
      const lacks = own.map(({ path, line }) => `${path}:${line}`).filter((at) => !shown.has(at));
      score.further.push(...lacks.map((at) => `references ${qualifiedName}\t${at}`));
      const lines = (await repo.git.text(["grep", "-nwFI", "-e", name])).split("\n");
      const rest = lines.filter((line) =>
        line !== "" && !shown.has(/^[^:]+:\d+/.exec(line)?.[0] ?? "")
      );
      score.words.push(...rest.map((line) => `${name}\t${line.slice(0, 160)}`));
    }
    const symbol = qualifiedName.split(".").slice(-2).join(".");
    const asked = { isDiff: false, changeDescription: "", depth: 1 };
    const impact = await analyzer.analyze({
      ...asked,
      targetFiles: [place.path],
      symbols: [symbol],
    });
    if (impact.kind === "refused" || impact.notices.length + impact.unresolved > 0) continue;
    score.impact++;
    const files = new Set([place.path, ...impact.files.map(({ path }) => path)]);
    const lacks = own.filter(({ path }) => !files.has(path));
    score.further.push(
      ...lacks.map(({ path, line }) => `impact ${qualifiedName}\t${path}:${line}`),
    );
  }
  return score;
}

/** What answers questions over an index. */
function openDoors(repo: Repository, index: CodeIndex) {
  const basis = {
    projectRoot: repo.worktree,
    listFiles: (list = {}) => listProjectFiles(repo, list),
    backends: createBackends(),
    logger: SILENT_LOGGER,
    index,
  };
  const analyzer = createImpactAnalyzer({
    ...basis,
    openRepo: () => Promise.resolve(repo),
    loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
    loadCommands: () => Promise.resolve([]),
  });
  return { explorer: createExplorer(basis), analyzer };
}

/** Declarations of the repository with the calls of each. */
function drawDeclared(
  sites: readonly CallSite[],
): readonly { readonly place: Place; readonly own: readonly CallSite[] }[] {
  const called = sites.filter(({ kind }) => kind === "body" || kind === "declared");
  const keyed = called.flatMap((site) => site.targets.map((place) => ({ site, place })));
  const groups = [...Map.groupBy(keyed, ({ place }) => `${place.path}:${place.line}`).values()];
  const step = Math.max(1, Math.floor(groups.length / ASKED));
  return groups.filter((_, at) => at % step === 0).slice(0, ASKED).flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ place: first.place, own: group.map(({ site }) => site) }];
  });
}
