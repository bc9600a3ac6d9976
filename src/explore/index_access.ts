/**
 * What a question is asked of: the index with its freshness, or files that were read for the question. An index that is not
 * built yet gives no answer at all: an empty one would look like the truth. Also the forms and notices that answers share.
 */
import type {
  Builder,
  CodeIndex,
  Freshness as IndexState,
  TemporaryIndex,
} from "../index/index_api.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import type { SeenRuns } from "../index/seen_runs.ts";
import type { FactStore } from "../resolve/fact_store.ts";
import type { Definition, Freshness, IndexFreshness, PageInput } from "./explorer.ts";
import { RULE_REASONS } from "../index/scan/scanner.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { isText, languageByName, languageOfPath } from "../language/languages.ts";
import { omitUndefined } from "../base/text/json_record.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { isOpenSpace } from "../language/kinds.ts";
import type { Tag } from "../language/kinds.ts";
import { CodeIntelError } from "../base/errors.ts";
import type { Words } from "../base/text/words.ts";
import type { ProofSource } from "../resolve/proven_places.ts";
import type { TextSearchContext } from "../backends/live_context.ts";
import { readSmallText } from "../backends/regular_files.ts";

/** What the explorer's questions are answered with. */
export type QuestionContext = ExplorerOptions & {
  readonly facts: FactStore;
  /** Called with the files that are read for the question, so that the answer is held against them. */
  readonly onPeek?: (peek: TemporaryIndex) => void;
};

/** What a question is asked of. */
export interface QuestionSource {
  /** Asks over one state. */
  read<T>(query: (view: IndexView) => T): Promise<T>;
  /** Follows names over the same state. */
  readonly facts: FactStore;
  /** As an answer names it. */
  readonly source: string;
  readonly freshness: Freshness;
  /** What limits the answer. */
  readonly notices: readonly string[];
  /** What an answer with results says of files that the project's rules keep out of it. */
  takeLeftOut(): Promise<readonly string[]>;
}

/** The index as it is now. */
export function createIndexSource(
  { index, facts }: QuestionContext,
  { freshness }: Extract<IndexAccess, { readonly kind: "ready" }>,
): QuestionSource {
  const read: QuestionSource["read"] = (query) => index.read(query);
  const takeLeftOut = () => read((view) => takeOmittedFileNotices(view, index));
  return { read, facts, source: "index", freshness, notices: [], takeLeftOut };
}

const RULES: readonly string[] = Object.values(RULE_REASONS);

interface Counted {
  readonly stamp: string;
  readonly notices: readonly string[];
}

/** What was counted last of each index: counting ten thousand files takes longer than an answer. */
const COUNTED = new WeakMap<CodeIndex, Counted>();
/** The sentence that each index said last. */
const TOLD = new WeakMap<CodeIndex, string>();

/**
 * A sentence about the files that rules leave out of the index, reported once, and again only when it has become another
 * one: in each answer it is noise. Nothing where there are none.
 */
export function takeOmittedFileNotices(view: IndexView, index: CodeIndex): readonly string[] {
  const notices = count(view, index);
  const [said = ""] = notices;
  if (TOLD.get(index) === said) return [];
  TOLD.set(index, said);
  return notices;
}

function count(view: IndexView, index: CodeIndex): readonly string[] {
  const stamp = view.stamp();
  const known = COUNTED.get(index);
  if (known?.stamp === stamp) return known.notices;
  const counts = view.countSkipped();
  const rules = RULES.filter((reason) => counts.has(reason));
  const files = rules.reduce((sum, reason) => sum + (counts.get(reason) ?? 0), 0);
  const notices = files === 0 ? [] : [formatLeftOutNotice(files, rules)];
  COUNTED.set(index, { stamp, notices });
  return notices;
}

function formatLeftOutNotice(files: number, rules: readonly string[]): string {
  const [what, they] = files === 1
    ? ["1 file is", "it holds"]
    : [`${files} files are`, "they hold"];
  return `${what} left out of the index (${rules.join(", ")}): what ${they} is not counted here.`;
}

/** The last question of a command has this at least, so that a small project is answered from all its files. */
const LEAST_MS = 1_000;

/** What is left of the time of a command. */
export class TimeBudget {
  readonly #nowMs: () => number;
  #leftMs = LIMITS.briefAnswerMs.value;

  /** @param nowMs The clock, default that of the process. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** How long something may be waited for, of what it would have by itself. */
  limit(ms: number): number {
    return Math.min(ms, Math.max(LEAST_MS, this.#leftMs));
  }

  /** Counts the time until it is disposed of. */
  spend(): Disposable {
    const since = this.#nowMs();
    return { [Symbol.dispose]: () => void (this.#leftMs -= this.#nowMs() - since) };
  }
}

/** Said of a file that does not parse as a whole. */
export const PARTIAL_NOTICE =
  "The text has errors: where it is broken, names are told by their lines, and some may be missing.";

/** One notice for the languages without a grammar among these, or none. */
export function formatNoGrammarNotices(
  languages: readonly (string | undefined)[],
): readonly string[] {
  const plain = [...new Set(languages)].filter((name) =>
    name !== undefined && languageByName(name)?.grammar === null
  );
  return plain.length === 0
    ? []
    : [`${plain.sort().join(", ")}: no grammar, so names are told by their lines.`];
}

/** The languages among these whose names no rule follows to their uses; data and prose have no callers. */
export function listUnfollowedLanguages(paths: readonly string[]): readonly string[] {
  const languages = paths.map(languageOfPath).filter((language) => language !== undefined);
  const left = languages.filter((language) => language.family === null && !isText(language));
  return [...new Set(left.map(({ name }) => name))].sort();
}

/** What the explorer of a project is made of. */
export interface ExplorerOptions extends TextSearchContext {
  readonly index: CodeIndex;
  /** What names are followed with; absent: facts of its own. */
  readonly facts?: FactStore;
  /** What index files of the languages' own indexers prove; absent where nobody looks for them. */
  readonly proofs?: ProofSource;
  /** What was seen when the project's tests ran; absent where nobody looks for it. */
  readonly runs?: SeenRuns;
  /** What a command has left of its time; absent in a server. */
  readonly patience?: TimeBudget;
}

/** Whether the index may be asked. */
export type IndexAccess =
  | { readonly kind: "ready"; readonly freshness: IndexFreshness }
  | {
    readonly kind: "unready";
    readonly notice: string;
    /** What fixes it, where the failure itself says it. */
    readonly hint?: Words;
    /** How far it is; null when it cannot be used at all. */
    readonly freshness: IndexFreshness | null;
  };

/** Beyond this share of unknown files the index would leave out too much. */
const MAX_PENDING_RATIO = 0.25;

/** How the index is asked. */
export interface OpenOptions {
  readonly signal?: AbortSignal;
  readonly budgetMs?: number;
  /** Whether the answer may be about a changed file, which is waited for. */
  readonly isAbout?: (path: string) => boolean;
}

/** Reads changed files again where that is cheap, and says whether the index can answer. */
export async function openIndex(
  context: ExplorerOptions,
  options: OpenOptions = {},
): Promise<IndexAccess> {
  options.signal?.throwIfAborted();
  let state: IndexState;
  try {
    state = await context.index.ensureFresh({
      isBrief: context.isBrief === true,
      ...omitUndefined({ budgetMs: options.budgetMs, isAbout: options.isAbout }),
    });
  } catch (error) {
    // What goes wrong with the index must not take the answer away: the files themselves have it.
    if (!(error instanceof CodeIntelError)) throw error;
    const notice = `The index cannot be used: ${error.message}.`;
    const { hint } = error;
    return { kind: "unready", notice, freshness: null, ...(hint === "" ? {} : { hint }) };
  }
  options.signal?.throwIfAborted();
  const { pendingTotal, ...rest } = state;
  const { files, pending, builder } = rest;
  const freshness = { ...rest, pending: pendingTotal };
  if (pendingTotal > pending.length || pendingTotal > files * MAX_PENDING_RATIO) {
    return {
      kind: "unready",
      freshness,
      notice: `${formatIndexLag(pendingTotal, files)}, so the files were read. ${
        formatBuilding(builder)
      }`,
    };
  }
  return {
    kind: "ready",
    freshness: pending.length === 0 ? freshness : { ...freshness, pendingFiles: pending },
  };
}

/** How long an answer waits for an index that is being built. */
export interface WaitOptions {
  /** For a server, behind which the work goes on. */
  readonly waitMs: number;
  /** Whether half an index is no answer: then a command waits for it longer than for others. */
  readonly needsAll?: boolean;
  readonly signal?: AbortSignal;
}

const LOOK_EVERY_MS = 50;
/** A command looks at all files each time. */
const BRIEF_LOOK_MS = 500;

/**
 * As {@link openIndex}, for answers that nothing else can give: a build that is nearly done is worth the wait. A command,
 * behind which nothing goes on, builds the index itself within its time, or waits where another process does.
 */
export async function waitForIndex(
  context: ExplorerOptions,
  { waitMs: serverMs, needsAll = false, signal }: WaitOptions,
): Promise<IndexAccess> {
  const isBrief = context.isBrief === true;
  using _spent = context.patience?.spend();
  const ownMs = isBrief ? LIMITS.answerMs.value : serverMs;
  const waitMs = needsAll ? ownMs : context.patience?.limit(ownMs) ?? ownMs;
  const endsAt = performance.now() + waitMs;
  const end = signal === undefined ? {} : { signal };
  // Any file may belong to such an answer.
  const isAbout = () => true;
  const budget = isBrief ? { budgetMs: waitMs } : {};
  const look = () => openIndex(context, { ...end, isAbout, ...budget });
  const isAwaited = (access: IndexAccess) =>
    access.kind === "unready" && access.freshness !== null && performance.now() < endsAt;
  const pause = () =>
    new Promise((resolve) => setTimeout(resolve, isBrief ? BRIEF_LOOK_MS : LOOK_EVERY_MS));
  let access = await look();
  if (isBrief && isAwaited(access) && access.freshness?.builder === undefined) {
    await context.index.sync({ waitMs, ...end });
    access = await look();
  }
  while (isAwaited(access) && (!isBrief || access.freshness?.builder !== undefined)) {
    await pause();
    access = await look();
  }
  return access;
}

/** What an index does not know yet: it has no state of these files, or one that an older version of the program read. */
export function formatIndexLag(pending: number, files: number): string {
  const state = files === 0 ? "has" : `of ${formatCount(files, "file")} has`;
  return `The index ${state} no present state of ${formatCount(pending, "file")}`;
}

function formatBuilding(builder: Builder | undefined): string {
  if (builder === undefined) {
    return "Nothing builds it now: a server does when it starts, and `code-intel index` at once.";
  }
  const { process, done, total } = builder;
  return `Process ${process} builds it: ${done} of ${total} files are done.`;
}

/** What the index says of itself to a question; null where it cannot answer by its nature: it never holds ignored files. */
export async function openIndexFor(
  context: ExplorerOptions,
  input: PageInput,
  options: OpenOptions,
): Promise<IndexAccess | null> {
  using _spent = context.patience?.spend();
  return input.includeIgnored === true ? null : await openIndex(context, options);
}

/** Tells the files whose present text holds a name, in any case. */
export function holdsName(
  { projectRoot }: Pick<ExplorerOptions, "projectRoot">,
  name: string,
): (path: string) => boolean {
  const wanted = name.toLowerCase();
  return (path) => {
    const text = readSmallText(projectRoot, path);
    return typeof text === "string" && text.toLowerCase().includes(wanted);
  };
}

/** Tells the files that are a path or lie below it. */
export function liesUnder(under: string): (path: string) => boolean {
  return (path) => under === "." || path === under || path.startsWith(`${under}/`);
}

/** A definition of the index in the form that all answers share. */
export interface IndexTag extends Tag {
  readonly doc?: string;
}

/** A definition of the index as a tag. */
export function convertSymbolToTag(hit: SymbolHit): IndexTag {
  const scope = hit.qualifiedName.slice(0, -hit.name.length - 1);
  return {
    name: hit.name,
    kind: hit.kind,
    path: hit.path,
    line: hit.line,
    endLine: hit.endLine,
    language: hit.language ?? languageOfPath(hit.path)?.name ?? "",
    ...(scope === "" ? {} : { scope }),
    ...(hit.signature === undefined ? {} : { signature: hit.signature }),
    ...(hit.doc === undefined ? {} : { doc: hit.doc }),
  };
}

/** Longer signatures are cut in answers. */
const MAX_SIGNATURE_CHARS = 300;

/** A definition as answers show it. */
export function convertTagToDefinition({ scopeKind: _scopeKind, ...tag }: IndexTag): Definition {
  const { signature } = tag;
  return signature !== undefined && signature.length > MAX_SIGNATURE_CHARS
    ? { ...tag, signature: `${signature.slice(0, MAX_SIGNATURE_CHARS)}…` }
    : tag;
}

/** Whether a definition stands at the top of its file; what only a namespace holds does. */
export function isTopSymbol(hit: SymbolHit, own: readonly SymbolHit[]): boolean {
  if (hit.parent === null) return true;
  const holder = own[hit.parent];
  return holder !== undefined && isOpenSpace(holder.kind);
}
