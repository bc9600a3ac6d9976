/**
 * Questions across the repositories of a workspace. The project itself is answered elsewhere; here stands what the others
 * add to it. A project without a workspace gets empty answers, at the cost of a look for one file.
 */
import { join, sep } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readEntry } from "../../index/scan/scanner.ts";
import { isGitStore } from "../../place/git_store.ts";
import { isManifest } from "../../resolve/packages/package_facts.ts";
import type { CodeIndex, SyncReport } from "../../index/index_api.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { findExactDefinitions } from "../../explore/names/symbol_name.ts";
import type { Edge, Seeds } from "../../impact/affected.ts";
import type { GroupScales } from "../../ranking/rank.ts";
import type {
  OtherAnswer,
  OtherReferences,
  OtherRepositories,
} from "../../services/other_repositories.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";
import type { AmbiguousName, Member, MemberStatus } from "./member.ts";
import { snapshotAll } from "./member.ts";
import type { LineTools } from "./search.ts";
import { findUsers, searchLines, searchMembers } from "./search.ts";
import { Keeper } from "./keeper.ts";
import type { ListedMember } from "./membership.ts";
import { Membership } from "./membership.ts";
import type { FoundPlaces } from "./places.ts";
import { buildAnswer, MAX_PLACES } from "./places.ts";
import type { Opened } from "./repositories.ts";
import { Repositories } from "./repositories.ts";

/** What a root is compared with. */
export interface MemberRootOptions {
  readonly projectRoot: string;
  /** The user's home folder; null where none is known. */
  readonly home: string | null;
  /** Folders in which the index of the repository at a root may lie. */
  readonly toFolders: (root: string) => readonly string[];
}

/**
 * Refuses what is no repository, and what would bring the index of far more than a repository.
 *
 * @param root absolute path without links.
 * @throws {CodeIntelError} `io_failed`.
 */
export function checkMemberRoot(root: string, options: MemberRootOptions): void {
  const refusal = findRefusal(root, options);
  if (refusal !== null) throw toRefusal(root, refusal.why, refusal.hint);
}

/**
 * Why a member that was taken may not be asked and indexed any more, as a half sentence about its folder; null where it
 * may. What lies in its place now would empty its index.
 *
 * @param root absolute path of a folder that is there.
 */
export function findLoss(root: string, options: MemberRootOptions): string | null {
  if (toReal(root) !== root) return "a link leads from there to another folder";
  // The index that is kept for others says nothing of a folder that has nothing any more.
  const toFolders = listNames(root).length === 0 ? () => [] : options.toFolders;
  return findRefusal(root, { ...options, toFolders })?.why ?? null;
}

interface Refusal {
  readonly why: string;
  readonly hint: string;
}

function findRefusal(root: string, options: MemberRootOptions): Refusal | null {
  const { projectRoot, home, toFolders } = options;
  if (holds(root, projectRoot)) {
    return { why: "the project itself lies in it", hint: "Name repositories beside the project." };
  }
  if (home !== null && (root === toReal(home) || holds(root, toReal(home)))) {
    return { why: "your home folder is no repository", hint: "Name a repository in it." };
  }
  const isThere = (path: string) => readEntry(path).kind !== "gone";
  if (isGitStore(root)) {
    const own = JSON.stringify(root);
    return {
      why: "it is a bare repository, which has no files to read",
      hint:
        `Name a clone that has its files: \`git clone ${own} FOLDER\`, then \`code-intel workspace add FOLDER\`.`,
    };
  }
  const isRepository = isThere(join(root, ".git")) || isThere(join(root, ".code-intel")) ||
    toFolders(root).some((folder) => isThere(join(folder, "index.db"))) ||
    listNames(root).some(isManifest);
  if (isRepository) return null;
  return {
    why: "it has neither a git repository nor a manifest of a package",
    hint: `Name a repository, or make one of it first: git init ${JSON.stringify(root)}`,
  };
}

/**
 * Refuses a folder of the project, which is asked anyway; the project itself stands for the repositories inside of it.
 *
 * @throws {CodeIntelError} `io_failed`.
 */
export function checkProjectRoot(dir: string, projectRoot: string): void {
  if (toReal(dir) === projectRoot) return;
  throw toRefusal(
    dir,
    "it is a folder of the project itself, which is asked anyway",
    "Name repositories beside the project, or none for those inside of it: `code-intel workspace add`.",
  );
}

function holds(root: string, inner: string): boolean {
  return inner.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) && inner !== root;
}

function toReal(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function listNames(root: string): readonly string[] {
  try {
    return Array.from(Deno.readDirSync(root), ({ name }) => name);
  } catch {
    return [];
  }
}

function toRefusal(root: string, why: string, hint: string): CodeIntelError {
  return new CodeIntelError("io_failed", `Cannot add "${root}" to the workspace: ${why}`, { hint });
}

/** What a workspace is made with. */
export interface WorkspaceOptions {
  /** Absolute path. */
  readonly projectRoot: string;
  /** The user's folder of the program; null without a home. */
  readonly stateDir: string | null;
  /** The user's home folder; null where none is known. */
  readonly home: string | null;
  /** Folders in which the index of the repository at a root may lie, the likeliest first. */
  readonly toFolders: (root: string) => readonly string[];
  /** The root of the project that a folder is in; throws where there is no such folder. */
  readonly findRoot: (dir: string) => Promise<string>;
  /** Makes the index of the repository at a root. */
  readonly openIndex: (root: string) => CodeIndex;
  readonly loadScales: () => Promise<GroupScales>;
  /** The programs that search lines. */
  readonly backends: LineTools["backends"];
  readonly logger: LineTools["logger"];
  readonly onNotice: (notice: string) => void;
  /** True in a process that ends with its answer: nothing is brought up to date behind it. */
  readonly isBrief: boolean;
}

/** Other repositories of a project. */
export interface Workspace extends OtherRepositories {
  /**
   * Adds the repositories of some folders, given by absolute paths.
   *
   * @throws {CodeIntelError} `io_failed` where a folder is not there or no repository, as {@link Membership.add} else.
   */
  add(dirs: readonly string[]): Promise<readonly ListedMember[]>;
  /** The root of the repository that a folder is in, as {@link Workspace.add} takes it; the folder itself where it is gone. */
  findRoot(dir: string): Promise<string>;
  /** Takes members out, by name or root. */
  remove(names: readonly string[]): Promise<readonly ListedMember[]>;
  /** The members of the list; null without a workspace. */
  list(): readonly ListedMember[] | null;
  /** What is known of each member, those inside of the project among them; null without a workspace. */
  describe(): Promise<readonly MemberStatus[] | null>;
  /** Names of packages that several repositories give, so that no import leads to them. */
  listAmbiguous(): Promise<readonly AmbiguousName[]>;
  /** Brings the index of a member up to date now. */
  bring(root: string, signal: AbortSignal): Promise<SyncReport>;
}

/** Makes the workspace of a project. Nothing is opened before the first question. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { projectRoot, stateDir, toFolders, openIndex, onNotice, loadScales, isBrief } = options;
  const membership = new Membership(projectRoot, stateDir);
  const keeper = new Keeper({
    openIndex,
    onNotice,
    findLoss: (root) => findLoss(root, options),
  });
  const repositories = new Repositories({
    projectRoot,
    membership,
    toFolders,
    findLoss: (root) => findLoss(root, options),
    keeper,
    isBrief,
  });
  const ask = async (work: (opened: Opened) => Promise<OtherAnswer>) =>
    await repositories.ask(work) ?? NO_OTHERS;
  return {
    add: async (dirs) => {
      const found = await Promise.all(dirs.map((dir) => options.findRoot(dir)));
      for (const [at, dir] of dirs.entries()) {
        if (found[at] === projectRoot) checkProjectRoot(dir, projectRoot);
      }
      const roots = found.filter((root) => root !== projectRoot);
      for (const root of roots) checkMemberRoot(root, options);
      return await membership.add(roots);
    },
    findRoot: (dir) => options.findRoot(dir).catch(() => dir),
    remove: (names) => membership.remove(names),
    list: () => membership.read(),
    toNestedHint: () => membership.toNestedHint(),
    describe: () => repositories.describe(),
    listAmbiguous: () => repositories.listAmbiguous(),
    bring: (root, signal) => keeper.bring(root, signal),
    findDefinitions: (symbol) => ask((opened) => findDefinitions(opened, symbol)),
    findReferences: async (symbol, { signal } = {}) =>
      await repositories.ask((opened) => findReferences(opened, symbol, signal)) ??
        { ...NO_OTHERS, leading: new Map() },
    findUsers: (seeds, { signal } = {}) => ask((opened) => findUsersOf(opened, { seeds, signal })),
    search: (question, { signal } = {}) =>
      ask(async (opened) => {
        const scales = { ...await loadScales() };
        const end = signal === undefined ? {} : { signal };
        return await buildAnswer(
          opened,
          await searchMembers(opened.members, question, { scales, ...end }),
        );
      }),
    searchLines: (query, { signal } = {}) =>
      ask(async (opened) => {
        const { backends, logger } = options;
        const end = signal === undefined ? {} : { signal };
        return await buildAnswer(
          opened,
          await searchLines(opened.members, query, { backends, logger, ...end }),
        );
      }),
    close: async () => {
      await keeper.close();
      repositories.close();
    },
  };
}

async function findDefinitions(opened: Opened, symbol: string): Promise<OtherAnswer> {
  const found = opened.members.map((member): FoundPlaces => {
    const { hits, total } = member.snapshot(() =>
      findExactDefinitions(member.view, symbol, MAX_PLACES)
    );
    return { member, places: hits.map(buildDefinitionPlace), total };
  });
  return await buildAnswer(opened, found);
}

function buildDefinitionPlace({ path, line, kind, qualifiedName, signature = "" }: SymbolHit) {
  return { path, line, what: `${kind} ${qualifiedName}${signature}`, hasText: false };
}

/** Who uses definitions of the project. */
async function findUsersOf(
  opened: Opened,
  { seeds, signal }: { readonly seeds: Seeds; readonly signal: AbortSignal | undefined },
): Promise<OtherAnswer> {
  const { own, members, leadsTo } = opened;
  if (own === null) return { ...NO_OTHERS, notices: opened.notices };
  const end = signal === undefined ? {} : { signal };
  const found: FoundPlaces[] = [];
  for (const asker of members.filter((member) => leadsTo(member, own))) {
    const edges = await findUsers(opened, { asker, target: own, seeds, ...end });
    found.push({
      member: asker,
      places: edges.map((edge) => buildPlace(edge, { hasSymbol: true })),
    });
  }
  return await buildAnswer(opened, found);
}

function buildPlace(edge: Edge, { hasSymbol }: { readonly hasSymbol: boolean }) {
  const { path, line, kind, symbol, within, confidence } = edge;
  const around = hasSymbol && within !== undefined ? ` in ${within}` : "";
  const remark = confidence === "resolved" ? "" : " (name)";
  return {
    path,
    line,
    what: `${kind}${hasSymbol ? ` ${symbol}` : ""}${around}${remark}`,
    hasText: true,
  };
}

interface Meant {
  readonly target: Member;
  readonly symbols: readonly SymbolHit[];
}

async function findReferences(
  opened: Opened,
  symbol: string,
  signal: AbortSignal | undefined,
): Promise<OtherReferences> {
  const { own, members, leadsTo } = opened;
  const end = signal === undefined ? {} : { signal };
  const all = own === null ? members : [own, ...members];
  const defining = snapshotAll(all, () =>
    all.flatMap((target): Meant[] => {
      const { hits: symbols } = findExactDefinitions(target.view, symbol);
      return symbols.length === 0 ? [] : [{ target, symbols }];
    }));
  const leading = new Map<string, string>();
  const used = new Set<Member>();
  for (const { target, symbols } of own === null ? [] : defining) {
    if (own === null || target === own || !leadsTo(own, target)) continue;
    const seeds = { symbols, files: [] };
    for (const edge of await findUsers(opened, { asker: own, target, seeds, ...end })) {
      const to = symbols.find(({ qualifiedName }) => qualifiedName === edge.symbol);
      if (edge.confidence !== "resolved" || to === undefined) continue;
      leading.set(`${edge.path}:${edge.line}`, `${target.name}:${to.path}:${to.line}`);
      used.add(target);
    }
  }
  // What the project defines or uses is meant; where it does neither, everything of the name is.
  const isMeant = ({ target }: Meant) => target === own || used.has(target);
  const meant = defining.some(isMeant) ? defining.filter(isMeant) : defining;
  const places = new Map<Member, FoundPlaces["places"][number][]>();
  for (const { target, symbols } of meant) {
    if (target !== own) add(places, target, symbols.map(buildDefinitionPlace));
    for (const asker of members) {
      if (asker !== target && !leadsTo(asker, target)) continue;
      const seeds = { symbols, files: [] };
      const edges = await findUsers(opened, { asker, target, seeds, ...end });
      add(places, asker, edges.map((edge) => buildPlace(edge, { hasSymbol: false })));
    }
  }
  const found = [...places].map(([member, own]) => ({ member, places: own }));
  return { ...await buildAnswer(opened, found), leading };
}

function add<T>(map: Map<Member, T[]>, member: Member, items: readonly T[]): void {
  map.set(member, [...map.get(member) ?? [], ...items]);
}
