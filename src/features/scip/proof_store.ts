/**
 * Keeps what the project's SCIP index files prove in step with the code index: a file whose content is a new one is looked
 * at again, and only where that was done its places are believed. It reads files of the project.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import { ProjectModules } from "../../resolve/modules/project_modules.ts";
import type { ProofParts } from "../../services/extension.ts";
import type { Services } from "../../services/services_api.ts";
import type { ScipState } from "./scip_source.ts";
import { ScipSource } from "./scip_source.ts";
import { folderOf } from "../../base/repo_path.ts";
import { readSource } from "../../base/files/regular_file.ts";
import { getOrInsert } from "../../base/once.ts";
import { decodeText } from "../../base/files/source_text.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { FileInfo, IndexView, SymbolHit } from "../../index/read/view.ts";
import { hashContentShort } from "../../index/scan/file_reader.ts";
import { FAMILIES } from "../../language/families.ts";
import { familyOf, languageOfPath } from "../../language/languages.ts";
import type { ScipCounts, ScipPlaces } from "./scip_places.ts";
import type { Span } from "./shape.ts";
import type { Leads, NamesOfText, ScipTrust } from "./trust.ts";
import { waitAtMost } from "../../base/clock.ts";
import { FactCache, IndexFacts } from "../../resolve/index_facts.ts";
import type { ModuleMap } from "../../resolve/modules/module_map.ts";
import type { ProofSource, ProofState } from "../../resolve/proven_places.ts";
import { CALLABLES, FOLDER_PACKAGES, SPACES, TYPES } from "../../resolve/reference_facts.ts";

/** Makes it; nothing is read before the first question. */
export function openProofs({ projectRoot, settings, index, isBrief }: ProofParts): ProofStore {
  const source = new ScipSource({
    projectRoot,
    loadPaths: async () => (await settings.read()).config.values.scip_indexes,
    ...(isBrief ? { waitMs: LIMITS.answerMs.value } : {}),
  });
  return new ProofStore({ projectRoot, index, source });
}

/** What there is of index files; null where no index of the code was built, without which nothing of them is believed. */
export async function describeProofs(
  { parts, index, readIndexStatus }: Services,
): Promise<ProofStatus | null> {
  if (await readIndexStatus() === null) return null;
  const modules = new ProjectModules(parts.projectRoot).load(await index.listFiles({}));
  return await openProofs({ ...parts, index }).describe(modules);
}

/** What there is of index files, and how much of it is believed. */
export type ProofStatus =
  | Exclude<ScipState, { readonly kind: "read" }>
  | {
    readonly kind: "read";
    readonly paths: readonly string[];
    readonly tool: string;
    readonly counts: ScipCounts;
  };

/** What proofs are made from. */
export interface ProofSources {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  readonly index: CodeIndex;
  readonly source: ScipSource;
}

/** The end of a line that opens a body, or has it whole: a bracket within parameters ends no line. */
const BODY_BEGINS = /[{}]\s*(?:\/[/*].*)?$/;
/** Files that are looked at in one round. */
const FILES_A_ROUND = 50;

interface Made extends ProofState {
  readonly places: ScipPlaces;
  readonly trust: ScipTrust;
  /** Where modules lay when it was made. */
  readonly modules: ModuleMap;
}

/** The proofs of one project. */
export class ProofStore implements ProofSource {
  readonly #sources: ProofSources;
  #made: Made | null = null;
  #making: Promise<Made> | null = null;
  #isLate = false;

  constructor(sources: ProofSources) {
    this.#sources = sources;
  }

  /** What may be believed now; null where there is no index file, or the work on it takes longer than an answer waits. */
  async load(modules: ModuleMap): Promise<Made | null> {
    const { source } = this.#sources;
    const state = await source.read();
    this.#isLate = false;
    if (state.kind !== "read") return null;
    const made = await waitAtMost(this.#settle(state.trust, modules), source.waitMs);
    this.#isLate = made === null;
    return made;
  }

  /** Why an index file that is there was not used for the last answer, in sentences. */
  toNotices(): readonly string[] {
    const { state } = this.#sources.source;
    if (state.kind === "refused") {
      return [`The SCIP index ${state.path} is not used: ${state.reason}.`];
    }
    return state.kind === "reading" || this.#isLate
      ? ["The SCIP index is being read: the next answers have it."]
      : [];
  }

  /** What there is, for people. */
  async describe(modules: ModuleMap): Promise<ProofStatus> {
    const state = await this.#sources.source.read();
    if (state.kind !== "read") return state;
    const { paths, trust } = state;
    const { counts } = (await this.#settle(trust, modules)).places;
    return { kind: "read", paths, tool: trust.index.tool, counts };
  }

  async #settle(trust: ScipTrust, modules: ModuleMap): Promise<Made> {
    const stamp = await this.#sources.index.read((view) => view.stamp());
    const made = this.#made;
    if (made?.stamp === stamp && made.trust === trust && made.modules === modules) return made;
    // Questions that come meanwhile wait for the one that began.
    this.#making ??= this.#make(trust, modules).finally(() => this.#making = null);
    return await this.#making;
  }

  async #make(trust: ScipTrust, modules: ModuleMap): Promise<Made> {
    const { index } = this.#sources;
    const { stamp, files } = await index.read((view) => ({
      stamp: view.stamp(),
      files: view.listFiles(),
    }));
    const hashes = new Map(files.map(({ path, hash }) => [path, hash]));
    const unseen = trust.unseen((path) => hashes.get(path));
    for (let from = 0; from < unseen.length; from += FILES_A_ROUND) {
      await this.#look(trust, unseen.slice(from, from + FILES_A_ROUND), hashes);
    }
    const places = await index.read((view) => {
      const facts = new IndexFacts({
        view,
        modules,
        memory: new FactCache(),
        removed: [],
        proof: null,
      });
      return trust.settle((path) => hashes.get(path), indexLeads(facts));
    });
    const others = findOthers(files, trust, (path) => places.knows(path));
    const newNames = others.length === 0
      ? new Set<string>()
      : await index.read((view) =>
        new Set(others.flatMap((path) => view.listSymbols(path).map(({ name }) => name)))
      );
    this.#made = { stamp, places, newNames, trust, modules };
    return this.#made;
  }

  async #look(
    trust: ScipTrust,
    paths: readonly string[],
    hashes: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { projectRoot, index } = this.#sources;
    const known = await index.read((view) => paths.map((path) => readNames(view, path)));
    for (const [at, path] of paths.entries()) {
      const reading = await readSource(projectRoot, path);
      if (reading.kind !== "read") continue;
      const hash = hashContentShort(reading.bytes);
      const text = decodeText(reading.bytes);
      const names = known[at];
      // A file that was written meanwhile is another content than the index knows: the next question sees it.
      if (hash !== hashes.get(path) || text === undefined || names === undefined) continue;
      const lines = names.saysResults ? text.split(/\r?\n/) : [];
      const definitions = names.definitions.map((span) =>
        names.saysResults ? cutHead(span, lines) : span
      );
      trust.see({ path, hash, text, definitions, uses: names.uses, imports: names.imports });
    }
  }
}

/**
 * Where imports lead now. In some families the project's files alone decide modules. There an
 * import leads to the files of its module and to all that these import; elsewhere the words of the
 * text say it, which the index was compared with.
 */
function indexLeads(facts: IndexFacts): Leads {
  const reached = new Map<string, ReadonlySet<string>>();
  const readReached = (files: readonly string[]) => {
    const seen = new Set(files);
    for (const path of seen) for (const next of facts.importsOf(path)) seen.add(next);
    return seen;
  };
  return (path, entry, target) => {
    const { family } = facts.spoken(path);
    if (family === null || FAMILIES[family].knownByFiles !== true) return true;
    const files = facts.filesOf(entry, path);
    if (files.includes(target)) return true;
    const all = getOrInsert(reached, files.join("\0"), () => readReached(files));
    // The files of a package are one module.
    return all.has(target) ||
      FOLDER_PACKAGES.has(family) && [...all].some((one) => folderOf(one) === folderOf(target));
  };
}

/** Files beside believed ones of a package whose members any of its files may add, and which the index file does not have. */
function findOthers(
  files: readonly FileInfo[],
  trust: ScipTrust,
  isKnown: (path: string) => boolean,
): readonly string[] {
  const packages = files.filter(({ language }) => {
    const family = familyOf(language);
    return family !== null && FOLDER_PACKAGES.has(family);
  });
  const folders = new Set(
    packages.filter(({ path }) => trust.has(path)).map(({ path }) => folderOf(path)),
  );
  return packages.map(({ path }) => path)
    .filter((path) => !isKnown(path) && folders.has(folderOf(path)));
}

interface KnownSpan extends Span {
  readonly isCallable: boolean;
}

interface KnownNames extends NamesOfText {
  readonly definitions: readonly KnownSpan[];
  readonly saysResults: boolean;
}

function readNames(view: IndexView, path: string): KnownNames {
  return {
    saysResults: languageOfPath(path)?.saysResults === true,
    definitions: view.listSymbols(path).map(buildSpan),
    uses: view.listOccurrences(path),
    imports: view.listImports(path),
  };
}

function buildSpan({ line, column, startLine, endLine, kind }: SymbolHit): KnownSpan {
  const isSpace = SPACES.has(kind);
  const isType = TYPES.has(kind) || isSpace;
  const isCallable = CALLABLES.has(kind);
  return { line, column, startLine, endLine, isType, isSpace, isCallable };
}

/** A function whose result is said is, to others, what stands before its body. */
function cutHead(span: KnownSpan, lines: readonly string[]): Span {
  if (!span.isCallable) return span;
  let headEndLine = span.line;
  while (headEndLine < span.endLine && !BODY_BEGINS.test(lines[headEndLine - 1] ?? "")) {
    headEndLine++;
  }
  return { ...span, headEndLine };
}
