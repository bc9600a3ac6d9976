/**
 * Finds the files that name what changes where no rule leads to them, and those that usually changed with it. They are never
 * more than `should_verify`.
 */
import { waitAtMost } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { QuestionContext } from "../explore/index_access.ts";
import type { NameHolders } from "../explore/names/text_mentions.ts";
import {
  findTextMentions,
  formatMentionNotices,
  isPastRecord,
  isPossibleUse,
  PLAIN_WORD,
} from "../explore/names/text_mentions.ts";
import type { UsualCompany } from "../history/past.ts";
import { findUsualCompany } from "../history/past.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import { languageOfPath } from "../language/languages.ts";
import type { AffectedFile, Dependents, Edge } from "./affected.ts";
import type { Targets } from "./targets.ts";

/** The past as impact asks it. */
export type AskedHistory =
  & Pick<RepositoryHistory, "peek">
  & Partial<Pick<RepositoryHistory, "refresh">>;

/** What is asked with. */
type NameContext = QuestionContext & { readonly history?: AskedHistory };

/** Targets, what depends on them, and which files hold their names. */
interface NamedGraph extends Targets {
  readonly dependents: Dependents;
  readonly holders: NameHolders;
}

/** Names by which text is searched for the targets: those of a long file beyond them are not (guessed). */
const MAX_OWN_NAMES = 30;
/** Names of files that say nothing without their folder. */
const ENTRY = /^(?:index|mod|main|lib|init|__init__|page|route|app|setup)\.\w+$|^[^.]+$/;

/**
 * The names by which text may mean the targets: of symbols, and of a whole file its own name, what it defines at its top, and
 * of a component its tag.
 */
export function listOwnNames({ targets, seeds }: Targets): readonly string[] {
  const whole = new Set(seeds.files);
  const named = seeds.symbols.filter(({ path, parent, name }) =>
    !whole.has(path) || parent === null || !PLAIN_WORD.test(name)
  ).map(({ name }) => name.replace(/^[^\p{L}\p{N}_]+/u, ""));
  const files = targets.filter(({ path, scope }) => scope === "whole" || whole.has(path))
    .flatMap(({ path }) => {
      const parts = path.split("/");
      const last = parts.at(-1) ?? path;
      const stem = last.replace(/\.[^.]+$/, "");
      const own = ENTRY.test(last) ? parts.slice(-2).join("/") : last;
      const dotted = [...parts.slice(-2, -1), stem].join(".");
      const { family, holdsScripts } = languageOfPath(path) ?? {};
      // Components and templates go by their name without endings.
      if (family === undefined || holdsScripts === true) {
        return [own, last.replace(/^_|\..*$/g, "")];
      }
      return family === "python" && dotted.includes(".") ? [own, dotted] : [own];
    });
  return [...new Set([...files, ...named])].filter((name) => name.length > 1)
    .slice(0, MAX_OWN_NAMES);
}

/** Files that usually changed with the targets and are named for it. */
const MAX_COMPANY = 5;
/** What names the targets where no rule and no fact leads to them, as edges, and in a sentence. */
export async function findByName(
  context: NameContext,
  { targets, seeds, holders, dependents: { edges: known, loose } }: NamedGraph,
  options: { readonly signal?: AbortSignal },
): Promise<{ readonly edges: readonly Edge[]; readonly notices: readonly string[] }> {
  const paths = new Set(targets.map(({ path }) => path));
  const covers = (path: string) => !paths.has(path);
  const asked = { ...holders, covers, isStrict: true, ...options };
  const found = await findTextMentions(context, context.facts, asked);
  const linked = new Set(known.map(({ path, line }) => `${line} ${path}`));
  const code = loose.filter(({ path, line }) => covers(path) && !linked.has(`${line} ${path}`));
  const symbols = new Map(seeds.symbols.map((hit) => [hit.name, hit.qualifiedName]));
  const sure = new Set(known.flatMap((edge) => edge.confidence === "name" ? [] : [edge.path]));
  const places = found.places.filter((one) =>
    // Who imports a file may name it as it likes.
    isPossibleUse(one) && (symbols.has(one.name) || !sure.has(one.path))
  );
  const edges = places.map(({ path, line, name }): Edge => ({
    ...{ path, line, kind: "text", confidence: "name", depth: 1 },
    symbol: symbols.get(name) ?? name,
  }));
  const told = code.map(({ path, line }) => ({ path, line, kind: "code" as const }));
  return {
    edges: [...code, ...edges],
    // A document is shown, and is no use of code.
    notices: formatMentionNotices({
      ...found,
      places: [...told, ...places.filter(({ kind }) => kind !== "document")],
    }),
  };
}

/** Files that usually changed with the targets; none where no past is known. */
export async function findCompany(
  { history, isBrief }: NameContext,
  targets: readonly string[],
  list: readonly string[],
): Promise<readonly UsualCompany[]> {
  // Nobody may have read the past yet: that of a small repository takes no time.
  const read = async () => {
    const waitMs = isBrief === true ? LIMITS.freshnessMs.value * 5 : LIMITS.freshnessMs.value;
    const report = await waitAtMost(history?.refresh?.() ?? Promise.resolve(null), waitMs)
      .catch(() => null);
    return report?.kind === "known" ? report.known : null;
  };
  const known = await history?.peek() ?? await read();
  const found = known === null ? [] : findUsualCompany(known.past, targets);
  return found.filter(({ path }) => list.includes(path) && !isPastRecord(path)).slice(
    0,
    MAX_COMPANY,
  );
}

/** Files that are added for their names alone: what is further only counts. */
const MAX_BY_NAME = 20;

/**
 * The files, and behind them those that only name what changes or usually changed with it; a target is none of them. Places
 * by name are shown of files that nothing better leads to.
 */
export function addByName(
  files: readonly AffectedFile[],
  edges: readonly Edge[],
  { targets, company, isTest }: {
    readonly targets: readonly string[];
    readonly company: readonly { readonly path: string }[];
    readonly isTest: (path: string) => boolean;
  },
): readonly AffectedFile[] {
  const named = Map.groupBy(edges, ({ path }) => path);
  for (const path of targets) named.delete(path);
  const known = files.map((file): AffectedFile => {
    const own = named.get(file.path) ?? [];
    named.delete(file.path);
    return own.length === 0 || file.edges.length > 0 ? file : { ...file, edges: own };
  });
  const there = new Set(files.map(({ path }) => path));
  const beside = company.filter(({ path }) => !there.has(path) && !named.has(path));
  const added = new Map([
    ...[...named].slice(0, MAX_BY_NAME),
    ...beside.map(({ path }): [string, Edge[]] => [path, []]),
  ]);
  const rows = [...added].map(([path, own]): AffectedFile => ({
    path,
    isMust: false,
    isTest: isTest(path),
    edges: own,
    reasons: [],
  }));
  return [...known, ...rows];
}

/** The tests; where no rule leads to any, those that name what changes. */
export function addNamedTests(
  tests: readonly string[],
  edges: readonly Edge[],
  isTest: (path: string) => boolean,
): readonly string[] {
  const named = new Set(edges.map(({ path }) => path).filter(isTest));
  return tests.length > 0 ? tests : [...named].slice(0, MAX_BY_NAME);
}
