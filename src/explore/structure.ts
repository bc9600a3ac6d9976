/**
 * Answers `analyzeStructure`: what a file, a given text or a folder is made of. The index says it;
 * what the index does not hold is analysed now.
 */
import { pickRegularFiles, readSmallText } from "../backends/regular_files.ts";
import type { ImportEntry } from "../analysis/analysis.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import { isCallable, isClass } from "../language/kinds.ts";
import { languageByName, LANGUAGES } from "../language/languages.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { say, tool } from "../base/text/words.ts";
import type {
  AnalyzeStructureInput,
  ExploreOptions,
  FileNode,
  FileStructure,
  FolderStructure,
  Freshness,
  ImportNode,
  QuestionRefused,
} from "./explorer.ts";
import { LiveFiles } from "./file_peek.ts";
import type { QuestionContext } from "./index_access.ts";
import {
  convertSymbolToTag,
  convertTagToDefinition,
  formatNoGrammarNotices,
  isTopSymbol,
  liesUnder,
  openIndex,
  PARTIAL_NOTICE,
} from "./index_access.ts";
import { isCodePath } from "./names/symbol_name.ts";
import { findNearest } from "../base/text/nearest.ts";
import type { Limits } from "./scope.ts";
import { resolveLimits } from "./scope.ts";

/** What is known of one text. */
export interface TextFacts {
  readonly language: string | null;
  readonly lines: number;
  readonly isPartial: boolean;
  readonly symbols: readonly SymbolHit[];
  readonly imports: readonly ImportEntry[];
  /** `index`, `tree-sitter`, `regex`, `none`. */
  readonly source: string;
}

/** What a view knows of a file; null where it does not have it. */
export function readFacts(view: IndexView, path: string, source = "index"): TextFacts | null {
  const file = view.getFile(path);
  if (file === null) return null;
  return {
    language: file.language,
    lines: file.lineCount,
    isPartial: file.isPartial,
    symbols: view.listSymbols(path),
    imports: view.listImports(path),
    source,
  };
}

const NOTHING: TextFacts = {
  language: null,
  lines: 0,
  isPartial: false,
  symbols: [],
  imports: [],
  source: "none",
};

/** Analyses a text as the file `path` would be, or in `language`; one text is not worth a thread. */
export async function analyzeText(
  index: Pick<CodeIndex, "peek">,
  text: string,
  as: { readonly path: string; readonly language?: string },
): Promise<TextFacts> {
  using peek = await index.peek({ isBrief: true });
  await peek.addText(text, as);
  const [source = "none"] = peek.parsers;
  return await peek.read((view) => readFacts(view, as.path, source)) ?? NOTHING;
}

/** The text of a file of the project; null where there is none that can be read as text. */
export function readFileText(projectRoot: string, path: string): string | "too_large" | null {
  return pickRegularFiles(projectRoot, [path]).files.length === 0
    ? null
    : readSmallText(projectRoot, path);
}

/** Names of top-level symbols that a folder shows of one file. */
const MAX_NAMES = 30;
/** Imports and exports that are shown of one file. */
const MAX_LISTED = 60;

/** Says what code is made of. */
export async function analyzeStructure(
  context: QuestionContext,
  input: AnalyzeStructureInput,
  options: ExploreOptions,
): Promise<FileStructure | FolderStructure | QuestionRefused> {
  if (input.code !== undefined) return await analyzeCode(context, input.code, input);
  const limits = await resolveLimits(context, input, options.signal);
  if (limits.kind === "refused") return limits;
  const access = await openIndex(context, { ...options, isAbout: liesUnder(limits.path) });
  const freshness = access.kind === "ready" ? access.freshness : "live";
  const notices = access.kind === "ready" ? [] : [access.notice];
  if (limits.isFile) {
    const { path } = limits;
    const isKnown = access.kind === "ready" &&
      access.freshness.pendingFiles?.includes(path) !== true;
    const known = isKnown ? await context.index.read((view) => readFacts(view, path)) : null;
    if (known !== null) return buildFile(known, input, { path, freshness, notices });
    const text = readFileText(context.projectRoot, path);
    if (text === null || text === "too_large") return refuseFile(path, text);
    // The index is no matter for a file that is read now.
    return buildFile(await analyzeText(context.index, text, { path }), input, {
      path,
      freshness: "live",
      notices: [],
    });
  }
  const { path } = limits;
  if (access.kind === "ready" && input.includeIgnored !== true) {
    const files = await context.index.read((view) => readFolder(view, limits, input));
    return buildFolder(files, input, { path, freshness, notices, source: "index" });
  }
  const peek = await LiveFiles.open(
    context,
    input,
    access.kind === "ready" ? null : access,
    options,
  );
  if ("problems" in peek) return peek;
  using opened = peek;
  await opened.add(opened.files.filter(input.language === undefined ? isCodePath : () => true));
  const ground = opened.toGround();
  const files = await ground.read((view) => readFolder(view, limits, input));
  return buildFolder(files, input, { ...ground, path });
}

async function analyzeCode(
  { index }: QuestionContext,
  code: string,
  input: AnalyzeStructureInput,
): Promise<FileStructure | QuestionRefused> {
  const language = input.language === undefined ? undefined : languageByName(input.language);
  if (input.language === undefined || language === undefined) {
    return { kind: "refused", problems: [makeLanguageProblem(input.language)] };
  }
  const facts = await analyzeText(index, code, { path: "", language: language.name });
  return buildFile(facts, input, { freshness: "live", notices: [] });
}

function makeLanguageProblem(name: string | undefined): Problem {
  if (name === undefined) {
    return makeProblem("missing_field", "`code` is given without its `language`", {
      at: "language",
      hint: "Name the language, such as python; or give `path` instead of `code`.",
    });
  }
  const names = LANGUAGES.flatMap((one) => [one.name, ...one.aliases]);
  const near = findNearest(name, names, { hasShortForms: false });
  return makeProblem("unknown_language", `language "${name.slice(0, 80)}" is not known`, {
    at: "language",
    hint: near.length > 0
      ? `Perhaps ${near.join(", ")}.`
      : `Use a language such as ${LANGUAGES.slice(0, 12).map((one) => one.name).join(", ")}.`,
  });
}

/** The refusal of a file that cannot be read as code. */
export function refuseFile(path: string, found: "too_large" | null): QuestionRefused {
  const problem = found === null
    ? makeProblem("not_text", `"${path}" cannot be read as text`, {
      at: "path",
      path,
      hint: say`Give a file of code; ${tool("search_files")} lists what there is.`,
    })
    : makeProblem("file_too_large", `"${path}" is too large to be parsed`, {
      at: "path",
      path,
      hint: say`Look into it with ${tool("search_text", { path })}.`,
    });
  return { kind: "refused", problems: [problem] };
}

interface Frame {
  readonly path?: string;
  readonly freshness: Freshness;
  readonly notices: readonly string[];
}

function buildFile(facts: TextFacts, input: AnalyzeStructureInput, frame: Frame): FileStructure {
  const { symbols } = facts;
  const depths = computeDepths(symbols);
  const offset = input.offset ?? 0;
  const shown = symbols.slice(offset, offset + input.maxResults);
  const exports = symbols.filter((hit) => hit.isExported === true && isTopSymbol(hit, symbols));
  const count = (isOne: (kind: string) => boolean) =>
    symbols.filter(({ kind }) => isOne(kind)).length;
  const notices = [
    ...frame.notices,
    ...facts.isPartial ? [PARTIAL_NOTICE] : [],
    ...formatNoGrammarNotices([facts.language ?? undefined]),
    ...facts.language === null
      ? ["The language of this file is not known, so no symbols can be told from other text."]
      : [],
  ];
  return {
    kind: "found",
    of: "file",
    ...(frame.path === undefined ? {} : { path: frame.path }),
    language: facts.language,
    lines: facts.lines,
    isPartial: facts.isPartial,
    symbols: shown.map((hit) => ({
      ...convertTagToDefinition(convertSymbolToTag(hit)),
      depth: depths[hit.position] ?? 0,
    })),
    imports: groupImports(facts.imports).slice(0, MAX_LISTED),
    exports: [...new Set(exports.map(({ name }) => name))].slice(0, MAX_LISTED),
    summary: {
      functions: count(isCallable),
      classes: count(isClass),
      imports: groupImports(facts.imports).length,
    },
    total: symbols.length,
    source: facts.source,
    freshness: frame.freshness,
    shownFiles: frame.path === undefined ? [] : [frame.path],
    shownSymbols: [...new Set(shown.map(({ name }) => name))],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function computeDepths(symbols: readonly SymbolHit[]): readonly number[] {
  const depths: number[] = [];
  for (const { parent } of symbols) {
    depths.push(parent === null ? 0 : (depths[parent] ?? 0) + 1);
  }
  return depths;
}

/** One entry a module, with the names that are taken from it. */
function groupImports(entries: readonly ImportEntry[]): readonly ImportNode[] {
  const byModule = new Map<string, { readonly line: number; readonly names: string[] }>();
  for (const { module, name, alias, line } of entries) {
    const node = byModule.get(module) ?? { line, names: [] };
    const shown = alias !== "" ? alias : name ?? "";
    if (shown !== "" && !node.names.includes(shown)) node.names.push(shown);
    byModule.set(module, node);
  }
  return [...byModule].map(([module, node]) => ({ module, ...node }));
}

type Folder = Extract<Limits, { readonly kind: "limits" }>;

function readFolder(
  view: IndexView,
  { path, covers }: Folder,
  input: AnalyzeStructureInput,
): readonly FileNode[] {
  const prefix = path === "." ? "" : `${path}/`;
  const isShown = (file: string) =>
    file.startsWith(prefix) && covers(file) && (input.language !== undefined || isCodePath(file));
  const files = view.listFiles().filter((file) => isShown(file.path));
  const offset = input.offset ?? 0;
  return files.map((file, at) => {
    const { path: own, language, lineCount } = file;
    // Only what is shown is worth a question.
    const isWanted = offset <= at && at < offset + input.maxResults;
    const symbols = isWanted ? view.listSymbols(own) : [];
    const top = symbols.filter((hit) => isTopSymbol(hit, symbols));
    return { path: own, language, lines: lineCount, symbols: listNames(top) };
  });
}

function listNames(
  top: readonly { readonly kind: string; readonly name: string; readonly line: number }[],
): readonly string[] {
  const names = top.slice(0, MAX_NAMES).map(({ kind, name, line }) => `${kind} ${name}:${line}`);
  return top.length > MAX_NAMES ? [...names, `… ${top.length - MAX_NAMES} more`] : names;
}

function buildFolder(
  files: readonly FileNode[],
  input: AnalyzeStructureInput,
  frame: Frame & { readonly path: string; readonly source: string },
): FolderStructure {
  const offset = input.offset ?? 0;
  const shown = files.slice(offset, offset + input.maxResults);
  return {
    kind: "found",
    of: "folder",
    path: frame.path,
    files: shown,
    total: files.length,
    source: frame.source,
    freshness: frame.freshness,
    shownFiles: shown.map(({ path }) => path),
    shownSymbols: [],
    ...(frame.notices.length === 0 ? {} : { notices: frame.notices }),
  };
}
