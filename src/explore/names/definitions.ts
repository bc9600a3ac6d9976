/** Answers `findDefinitions`: by the name in any case first, then by its words. */
import { formatCount } from "../../base/text/plain_text.ts";
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import { foldName, splitIdentifier } from "../../analysis/tokens.ts";
import { isDocument } from "../../base/text/document_files.ts";
import { filterByPageSign, languageOfPath } from "../../language/languages.ts";
import type {
  DefinitionsFound,
  ExploreOptions,
  FindDefinitionsInput,
  NameMatch,
  QuestionRefused,
} from "../explorer.ts";
import { LiveFiles } from "../file_peek.ts";
import type { IndexTag, QuestionContext, QuestionSource } from "../index_access.ts";
import {
  convertSymbolToTag,
  convertTagToDefinition,
  createIndexSource,
  formatNoGrammarNotices,
  holdsName,
  openIndexFor,
} from "../index_access.ts";
import type { NearestFound, SymbolName, UnlimitedScope } from "./symbol_name.ts";
import {
  compareNames,
  formatElsewhereNotice,
  formatSpellingNotices,
  isCodePath,
  parseSymbolName,
  pickNearest,
  removeScopeLimits,
} from "./symbol_name.ts";
import { findInherited, findProvenDefinitions } from "./inherited.ts";
import { resolveLimits } from "../scope.ts";
import { findTextMentions, formatMentionNotices, listHolders } from "./text_mentions.ts";

/** More definitions than any name has. */
const ALL = 1_000_000;

/** Finds where a symbol is defined; files are read where the index does not answer. */
export async function findDefinitions(
  context: QuestionContext,
  input: FindDefinitionsInput,
  options: ExploreOptions,
): Promise<DefinitionsFound | QuestionRefused> {
  const name = parseSymbolName(input.symbol);
  const limits = await resolveLimits(context, input, options.signal);
  if (name.kind === "refused" || limits.kind === "refused") {
    const own = name.kind === "refused" ? [name.problem] : [];
    const others = limits.kind === "refused" ? limits.problems : [];
    return { kind: "refused", problems: [...own, ...others] };
  }
  const everywhere = await removeScopeLimits(context, input);
  const { covers } = limits;
  const question = { context, wanted: name.value, input, covers, everywhere, ...options };
  const isAbout = holdsName(context, name.value.name);
  const access = await openIndexFor(context, input, { ...options, isAbout });
  const indexed = access?.kind === "ready"
    ? await answerFrom(createIndexSource(context, access), question)
    : null;
  const isWhole = context.stored !== undefined;
  if (
    indexed !== null && (indexed.total > 0 || isWhole || await input.isElsewhere?.() === true)
  ) {
    return indexed;
  }
  // A file that the index leaves out (generated, too large) may have it.
  const peek = await LiveFiles.open(context, input, access, options);
  if ("problems" in peek) return peek;
  using files = peek;
  const holding = await readHolding(files, question);
  const answer = await answerFrom(files.toGround(), question);
  if (answer.total > 0) return answer;
  const notices = [
    ...indexed?.notices ?? [],
    ...answer.notices ?? [],
  ];
  const isUnknown = holding.length === 0 && !input.exactMatch && access?.kind === "ready";
  const told = notices.length > 0
    ? notices
    : isUnknown
    ? await context.index.read((view) => formatSpellingNotices(view, name.value.name))
    : listHoldingNotices(name.value.name, holding);
  return told.length === 0 ? answer : { ...answer, notices: [...new Set(told)] };
}

interface Question {
  readonly context: QuestionContext;
  readonly wanted: SymbolName;
  readonly input: FindDefinitionsInput;
  readonly covers: (path: string) => boolean;
  /** The question without its limits, where it has some. */
  readonly everywhere: UnlimitedScope | null;
  readonly signal?: AbortSignal;
}

async function answerFrom(ground: QuestionSource, question: Question): Promise<DefinitionsFound> {
  const { wanted, input, everywhere } = question;
  const proof = await ground.facts.readProof();
  const inside = await findWithin(ground, question);
  const wide = everywhere === null || isDirect(inside)
    ? null
    : await findWithin(ground, { ...question, input: withoutLimits(input), ...everywhere });
  const nearest = inside.nearest;
  const notices = wide === null || everywhere === null
    ? inside.notices
    : wide.nearest === undefined || !isDirect(wide)
    ? wide.notices
    : [
      formatElsewhereNotice(wanted.whole, everywhere, {
        verb: "defined",
        places: wide.nearest.tags,
      }),
    ];
  const tags = nearest?.tags ?? [];
  const offset = input.offset ?? 0;
  const shown = tags.slice(offset, offset + input.maxResults);
  const all = [
    ...await listDoubts(ground, question, tags),
    ...ground.notices,
    ...tags.length > 0 ? await ground.takeLeftOut() : [],
    ...ground.facts.toNotices(),
    ...notices,
    ...formatNoGrammarNotices(shown.map(({ language: own }) => own)),
  ];
  return {
    kind: "found",
    definitions: shown.map(convertTagToDefinition),
    match: nearest?.match ?? "exact",
    total: tags.length,
    sameNamed: nearest?.sameNamed ?? 0,
    source: shown.some((tag) => proof?.defines(tag.path, tag.line, tag.name))
      ? `${ground.source}+scip`
      : ground.source,
    freshness: ground.freshness,
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(all.length === 0 ? {} : { notices: all }),
  };
}

/** What is nearest among the files that the question covers: by name, by a base, or by proof. */
async function findWithin(
  ground: QuestionSource,
  { wanted, input, covers, signal }: Omit<Question, "everywhere">,
): Promise<NearestFound<IndexTag>> {
  const direct = await ground.read((view) => findNearest(view, wanted, { ...input, covers }));
  if (isDirect(direct)) return direct;
  const end = signal === undefined ? {} : { signal };
  const inherited = await findInherited(ground.facts, wanted, { covers, ...end });
  if (inherited !== null) return inherited;
  const proven = findProvenDefinitions(await ground.facts.readProof(), wanted, covers);
  return proven === null ? direct : { nearest: proven, notices: [] };
}

function withoutLimits({ path: _path, language: _language, ...rest }: FindDefinitionsInput) {
  return rest;
}

function isDirect({ nearest }: NearestFound<IndexTag>): boolean {
  return nearest !== undefined && nearest.match !== "sub_word";
}

/** Reads the files that may have the definition, likely ones first; answers those that hold the very name. */
async function readHolding(peek: LiveFiles, question: Question): Promise<readonly string[]> {
  const { wanted, input, covers } = question;
  const { name, scope } = wanted;
  const groups = input.language !== undefined
    ? [peek.files]
    : [peek.files.filter(isCodePath), peek.files.filter((path) => !isCodePath(path))];
  const isFound = async () => {
    const limits = { ...input, exactMatch: true, covers };
    return isDirect(
      await peek.toGround().read((view) => findNearest(view, wanted, limits)),
    );
  };
  const whole = { ignoreCase: true, wholeWord: isWholeWord(name) };
  const holding: string[] = [];
  for (const files of groups) {
    const found = await peek.findHolding(name, { ...whole, files });
    holding.push(...found);
    await peek.addLikely(found, name, isFound);
    if (await isFound()) return holding;
  }
  for (const part of scope.slice(-1)) await peek.add(await peek.findHolding(part, whole));
  if (input.exactMatch) return holding;
  for (const files of groups) {
    await peek.add(await findHoldingWords(peek, name, files));
    const limits = { ...input, covers };
    const { nearest } = await peek.toGround().read((view) => findNearest(view, wanted, limits));
    if (nearest !== undefined) break;
  }
  return holding;
}

/** Names with signs at an end (`save!`, `$x`) have no word boundary there. */
function isWholeWord(name: string): boolean {
  return /^[\p{L}\p{N}_].*[\p{L}\p{N}_]$|^[\p{L}\p{N}_]$/u.test(name);
}

/** The files that hold each word of a name, whatever stands between them. */
async function findHoldingWords(
  peek: LiveFiles,
  name: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const words = splitIdentifier(name);
  let left = files;
  for (const word of words.length === 0 ? [name] : words) {
    if (left.length === 0) break;
    left = await peek.findHolding(word, { ignoreCase: true, wholeWord: false, files: left });
  }
  return left;
}

const SHOWN_FILES = 3;

/** A name that no definition is found of may stand in files all the same. */
function listHoldingNotices(name: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const those = formatCount(files.length, "file has", "files have");
  const shown = files.slice(0, SHOWN_FILES).join(", ");
  const more = files.length > SHOWN_FILES ? ", …" : "";
  return [
    `No definition of "${name}" is known, but ${those} the name (${shown}${more}); a text search shows where.`,
  ];
}

/** What begins a definition in most languages, with a name behind it on its line. */
const DEFINING =
  /^\W*(?:\w+\s+)*(?:def|c?p?def|class|func(?:tion)?|fn|fun|sub|proc|let|var|const|type|struct|enum|trait|interface|module|macro)\s/;

/** What an answer does not know of definitions: whether a text that nothing reads has one, and that of mere declarations. */
async function listDoubts(
  ground: QuestionSource,
  { context, wanted, everywhere, covers }: Question,
  tags: readonly IndexTag[],
): Promise<readonly string[]> {
  const names = [wanted.name];
  const files = await ground.read((view) => listHolders(view, names));
  const isUnread = (path: string) =>
    languageOfPath(path) === undefined && !isDocument(path) &&
    (everywhere === null || covers(path));
  const asked = { names, files, known: new Map(), covers: isUnread, isStrict: true };
  const found = await findTextMentions(context, ground.facts, asked);
  const places = found.places.filter(({ text }) =>
    DEFINING.test(text.slice(0, text.indexOf(wanted.name)))
  );
  return [
    ...formatMentionNotices({ ...found, places }, { name: wanted.name }),
    ...(tags.length > 0 && tags.every(({ kind }) => kind === "prototype")
      ? ["Only declarations were found: where the body is, is not known."]
      : []),
  ];
}

interface Limited {
  readonly exactMatch: boolean;
  readonly language?: string;
  readonly covers: (path: string) => boolean;
}

function findNearest(
  view: IndexView,
  wanted: SymbolName,
  { exactMatch, language, covers }: Limited,
): NearestFound<IndexTag> {
  const notices = new Set<string>();
  for (const read of exactMatch ? [readNamed] : [readNamed, readByWords]) {
    const tags = read(view, wanted).filter(({ path }) => covers(path)).map(convertSymbolToTag);
    const groups = language !== undefined
      ? [tags]
      : [tags.filter(({ path }) => isCodePath(path)), tags.filter(({ path }) => !isCodePath(path))];
    for (const group of groups) {
      const found = pickNearest(group, wanted, compareFolded);
      for (const notice of found.notices) notices.add(notice);
      const { nearest } = found;
      if (nearest === undefined || (exactMatch && nearest.match !== "exact")) continue;
      return { nearest, notices: [...notices] };
    }
  }
  return { notices: [...notices] };
}

/** The name itself, in any case, with or without the sign before it (`.btn`, `$x`). */
function readNamed(view: IndexView, { name, whole }: SymbolName): readonly SymbolHit[] {
  const folded = foldName(name);
  // What is written exactly so is among what is written so in any case; a name of signs alone has no case.
  const exact = [...new Set([whole, name])]
    .filter((one) => folded === "" || foldName(one) !== folded)
    .map((one) => ({ name: one, limit: ALL }));
  const places = new Map<string, SymbolHit>();
  for (const query of [...exact, { name, match: "folded", limit: ALL } as const]) {
    for (const hit of view.findSymbols(query).hits) {
      places.set(`${hit.position}\0${hit.path}`, hit);
    }
  }
  return filterByPageSign(whole, [...places.values()].sort(byPlace));
}

function readByWords(view: IndexView, { name }: SymbolName): readonly SymbolHit[] {
  return [...view.findSymbols({ name, match: "words", limit: ALL }).hits].sort(byPlace);
}

function byPlace(a: SymbolHit, b: SymbolHit): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.position - b.position;
}

/** As for every explorer; names that differ in their separators count as the same in another case. */
function compareFolded(found: string, wanted: SymbolName): NameMatch {
  const match = compareNames(found, wanted);
  if (match !== undefined && match !== "sub_word") return match;
  return foldName(found) === foldName(wanted.name) ? "case_insensitive" : "sub_word";
}
