/**
 * What the index says of a diff before somebody reviews it: code that stands elsewhere too; new
 * names that nothing uses; new files that no test knows; and unchanged documents about what
 * changed.
 */
import type { DocumentPatterns } from "../../base/text/document_files.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import type { ChangedText, DiffMemory, FileDiff, ImpactAccess, ReadDiffOptions } from "../diff.ts";
import { buildWorkingDiff, openGraph, readDiff } from "../diff.ts";
import type { PinnedOptions } from "./pinned_texts.ts";
import { findPinned } from "./pinned_texts.ts";
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import { isTestSide, parseTestName } from "../../language/test_names.ts";
import { findNamed, isCode } from "../naming.ts";
import { chooseKeywords, findDocumentMentions } from "../documents.ts";
import { holderOf, isCallable, isType } from "../symbol_shape.ts";

/** What the facts are looked up in. */
export interface ReviewContext extends ImpactAccess {
  readonly facts: FactStore;
  readonly diffs: DiffMemory;
  readonly loadPatterns: () => Promise<DocumentPatterns>;
}

/** The facts of the working diff in some files by their names; null where the index does not know all files, or there is no git. */
export async function describeDiff(
  context: ReviewContext,
  paths: readonly string[],
  options: ReadDiffOptions = {},
): Promise<DiffFacts | null> {
  const open = await openGraph(context, options);
  const changed = open.kind === "refused"
    ? open
    : await readDiff(context, { ...options, memory: context.diffs });
  if ("kind" in changed) return null;
  return await findDiffFacts(changed.filter(({ path }) => paths.includes(path)), {
    live: context,
    ask: (question) => context.index.read(question),
    readLines: (path) => context.facts.readLines(path),
    patterns: await context.loadPatterns(),
    files: await context.listFiles(options),
    ...options,
  });
}

/** The lines of tests that expect a text which the working diff took out of these files; none without git. */
export async function describePinned(
  context: ReviewContext,
  paths: readonly string[],
  options: ReadDiffOptions = {},
): Promise<readonly string[]> {
  const changed = await readDiff(context, { ...options, memory: context.diffs });
  if ("kind" in changed) return [];
  return await findPinned(changed.filter(({ path }) => paths.includes(path)), {
    live: context,
    readLines: (path) => context.facts.readLines(path),
    listFiles: () => context.listFiles(options),
    ...options,
  });
}

/** A range of lines, from 1, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** So many tokens in a row are compared at a time. */
const RUN = 8;
/** A piece with fewer runs is too short to be called repeated (guessed, as the next two). */
const LEAST_RUNS = 30;
/** Share of the runs that must stand elsewhere. */
const LEAST_SHARE = 0.7;
/** Share of the names that must be the same: code of one form about other things is no copy. */
const LEAST_NAMES = 0.6;
const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[^\s\p{L}\p{N}_]/gu;
const NAME = /^[\p{L}_$]/u;

interface Token {
  readonly text: string;
  readonly line: number;
}

/** Where in other lines the piece stands again; null where it does not. */
export function findRepeated(
  piece: readonly string[],
  other: { readonly lines: readonly string[]; readonly span: Span },
): Span | null {
  const own = tokenize(piece, 1);
  const runs = listRuns(own);
  if (runs.length < LEAST_RUNS) return null;
  const { start } = other.span;
  const there = tokenize(other.lines.slice(start - 1, other.span.end), start);
  const places = new Map<string, readonly Token[]>();
  for (const run of listRuns(there)) places.set(run.shape, run.tokens);
  const shared = runs.flatMap(({ shape }) => places.get(shape) ?? []);
  const found = runs.filter(({ shape }) => places.has(shape)).length;
  const names = new Set(own.map(({ text }) => text).filter((text) => NAME.test(text)));
  const theirs = new Set(there.map(({ text }) => text));
  const same = [...names].filter((name) => theirs.has(name)).length;
  if (found < runs.length * LEAST_SHARE || same < names.size * LEAST_NAMES) return null;
  const lines = shared.map(({ line }) => line);
  return { start: Math.min(...lines), end: Math.max(...lines) };
}

/** The tokens of lines without those of comments. */
function tokenize(lines: readonly string[], first: number): readonly Token[] {
  return lines.flatMap((text, at) =>
    /^\s*(?:\/\/|\/?\*|#(?!\[|include|define|if|e)|--)/.test(text)
      ? []
      : (text.match(TOKEN) ?? []).map((token) => ({ text: token, line: first + at }))
  );
}

/** Each row of tokens that follow one another, as what is the same under other names. */
function listRuns(
  tokens: readonly Token[],
): readonly { readonly shape: string; readonly tokens: readonly Token[] }[] {
  const shapes = tokens.map(({ text }) =>
    /^["'`\d]/.test(text) ? "0" : NAME.test(text) ? "a" : text
  );
  return tokens.slice(RUN - 1).map((_, at) => ({
    shape: shapes.slice(at, at + RUN).join(" "),
    tokens: tokens.slice(at, at + RUN),
  }));
}

/** Facts of a diff, each list with 1 to {@link MOST_EACH} places; all are reasons to look, none is a verdict. */
export interface DiffFacts {
  /** New code with the place that has the same already: `src/a.ts:10-25 as src/b.ts:40-55`. */
  readonly repeats?: readonly string[];
  /** New definitions whose name no other place has: `src/a.ts:12 helper`. */
  readonly new_and_unused?: readonly string[];
  /** New files of code that no test is named for, and none of whose names a test has. */
  readonly new_without_test?: readonly string[];
  /** Lines of tests with a text that is gone from the code: `tests/a_test.ts:12 expects "cannot read" of src/a.ts`. */
  readonly tests_expect_removed?: readonly string[];
  /** Documents outside of the diff that name what changed: `docs/a.md:12 names login`. */
  readonly documents_unchanged?: readonly string[];
}

/** What the facts are looked up with. */
export interface DiffFactsOptions extends Omit<PinnedOptions, "listFiles"> {
  /** Every file of the project. */
  readonly files: readonly string[];
  readonly ask: <T>(question: (view: IndexView) => T) => Promise<T>;
  readonly patterns: DocumentPatterns;
}

/** Most places of each kind. */
const MOST_EACH = 4;
/** Each costs a question to the index, or the reading of some files. */
const MOST_ASKED = 12;
const MOST_LIKE = 6;
const MOST_PLACES = 50;
/** Lines beside a chunk that may belong to what is repeated. */
const BESIDE = 40;
/** Names that are called by a language or a program that runs the code. */
const CALLED_BY_NAME = /^(?:main|init|setup|teardown|handler|default|__\w+__)$/i;

/** A definition that the diff adds, in a file of code. */
interface NewDefinition extends Span {
  readonly hit: SymbolHit;
}

/** Looks the facts of changed files up. */
export async function findDiffFacts(
  changed: readonly ChangedText[],
  options: DiffFactsOptions,
): Promise<DiffFacts> {
  const live = changed.filter(({ path, changes }) =>
    changes.change.kind !== "deleted" && isCode(path) && parseTestName(path) === null
  );
  const { added, unnamed, untested, symbols } = await options.ask((view) => {
    const fresh = live.flatMap((one) => findNew(view.listSymbols(one.path), one));
    const asked = fresh.slice(0, MOST_ASKED);
    return {
      added: asked,
      unnamed: asked.filter((one) => isUnnamed(view, one)),
      untested: live.filter((one) =>
        one.changes.change.kind === "added" &&
        isUntested(view, { path: one.path, fresh, files: options.files })
      ),
      symbols: buildWorkingDiff(view, changed).files.flatMap((file) => listKnown(file, changed)),
    };
  });
  const unused: string[] = [];
  for (const { hit } of unnamed) {
    const lines = await options.readLines(hit.path);
    const head = lines.slice(hit.startLine - 1, hit.line);
    // Who is named by a sign above it is called by what reads the sign.
    if (!head.some((line) => /^\s*(?:@|#\[|\[)/.test(line))) {
      unused.push(`${hit.path}:${hit.line} ${hit.name}`);
    }
  }
  const listFiles = () => Promise.resolve(options.files);
  const facts = {
    "repeats": await findCopies(added, options),
    "new_and_unused": unused.slice(0, MOST_EACH),
    "new_without_test": untested.map(({ path }) => path).slice(0, MOST_EACH),
    "tests_expect_removed": await findPinned(changed, { ...options, listFiles }),
    "documents_unchanged": await findSilent(changed, symbols, options),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, places]) => places.length > 0));
}

function findNew(
  now: readonly SymbolHit[],
  { before, changes }: ChangedText,
): readonly NewDefinition[] {
  const known = new Set(before.map(({ qualifiedName }) => qualifiedName));
  return now.filter((hit) =>
    (isCallable(hit) || isType(hit)) && !known.has(hit.qualifiedName) &&
    changes.ranges.some(({ start, end }) => start <= hit.line && hit.line <= end)
  ).map((hit) => ({ hit, start: hit.startLine, end: hit.endLine }));
}

/**
 * Whether no other place has the name. Of members nothing is said: what implements an interface is called by others under
 * its name.
 */
function isUnnamed(view: IndexView, { hit, start, end }: NewDefinition): boolean {
  if (holderOf(hit, view.listSymbols(hit.path)) !== null || hit.scope !== undefined) return false;
  if (CALLED_BY_NAME.test(hit.name)) return false;
  const { hits, total } = view.findOccurrences(hit.name, { limit: MOST_PLACES });
  return total <= hits.length &&
    hits.every(({ path, line }) => path === hit.path && line >= start && line <= end);
}

/** What others may know of the changed definitions of a file: what was there before, and is not private to the code. */
function listKnown(
  { path, symbols }: FileDiff,
  changed: readonly ChangedText[],
): readonly string[] {
  if (isTestSide(path)) return [];
  const before = changed.filter((one) => one.path === path || one.from === path)
    .flatMap((one) => one.before.map(({ qualifiedName }) => qualifiedName));
  const known = new Set(before);
  return symbols.filter(({ name, qualifiedName, isExported }) =>
    known.has(qualifiedName) && isExported !== false && !/^[_#]/.test(name)
  ).map(({ qualifiedName }) => qualifiedName);
}

function isUntested(
  view: IndexView,
  { path, fresh, files }: {
    readonly path: string;
    readonly fresh: readonly NewDefinition[];
    readonly files: readonly string[];
  },
): boolean {
  const own = fresh.filter(({ hit }) => hit.path === path);
  if (own.length === 0 || findNamed([path], files).tests.length > 0) return false;
  return own.slice(0, MOST_ASKED).every(({ hit }) =>
    view.findOccurrences(hit.name, { limit: MOST_PLACES }).hits
      .every((place) => parseTestName(place.path) === null)
  );
}

/** New code that stands elsewhere too. */
async function findCopies(
  added: readonly NewDefinition[],
  { ask, readLines }: DiffFactsOptions,
): Promise<readonly string[]> {
  const copies: string[] = [];
  for (const { hit, start, end } of added.filter(({ hit }) => isCallable(hit))) {
    if (copies.length === MOST_EACH) break;
    const piece = (await readLines(hit.path)).slice(start - 1, end);
    const alike = await ask((view) =>
      view.searchText({ text: piece.join("\n"), limit: MOST_LIKE })
    );
    for (const chunk of alike) {
      const path = chunk.paths.find((one) => one !== hit.path) ?? chunk.paths[0];
      if (path === undefined) continue;
      const span = { start: Math.max(1, chunk.startLine - BESIDE), end: chunk.endLine + BESIDE };
      const lines = await readLines(path);
      // A file has its own piece: only what stands before or behind it can repeat it.
      const others = path === hit.path ? blank(lines, { start, end }) : lines;
      const found = findRepeated(piece, { lines: others, span });
      if (found === null) continue;
      copies.push(`${hit.path}:${start}-${end} as ${path}:${found.start}-${found.end}`);
      break;
    }
  }
  return copies;
}

function blank(lines: readonly string[], { start, end }: Span): readonly string[] {
  return lines.map((line, at) => at + 1 >= start && at + 1 <= end ? "" : line);
}

/** Documents that name what changed and did not change with it. */
async function findSilent(
  changed: readonly ChangedText[],
  symbols: readonly string[],
  { live, files, patterns, signal }: DiffFactsOptions,
): Promise<readonly string[]> {
  const own = new Set(changed.map(({ path }) => path));
  const mentions = await findDocumentMentions(live, {
    files: files.filter((path) => !own.has(path)),
    keywords: chooseKeywords("", { targets: [], symbols }),
    patterns,
    isWhole: true,
    ...(signal === undefined ? {} : { signal }),
  });
  return mentions.slice(0, MOST_EACH).flatMap(({ file, sampleLines: [first] }) =>
    first === undefined ? [] : [`${file}:${first.line} names ${first.keyword}`]
  );
}
