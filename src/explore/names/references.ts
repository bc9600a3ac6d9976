/**
 * Answers `findReferences`: places in code, each with the definition that an import or a scope leads to. Comments and
 * strings are read from the files when asked for.
 */
import { isCallable } from "../../language/kinds.ts";
import { languageOfPath } from "../../language/languages.ts";
import { cutLine } from "../../backends/text_query.ts";
import type {
  ExploreOptions,
  FindReferencesInput,
  QuestionRefused,
  Reference,
  ReferencesFound,
} from "../explorer.ts";
import { formatUnreadNotices, LiveFiles } from "../file_peek.ts";
import type { QuestionContext, QuestionSource } from "../index_access.ts";
import {
  createIndexSource,
  formatNoGrammarNotices,
  holdsName,
  openIndexFor,
} from "../index_access.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import { resolveLimits, resolveScope } from "../scope.ts";
import type { SymbolName, UnlimitedScope } from "./symbol_name.ts";
import {
  formatElsewhereNotice,
  formatSpellingNotices,
  parseSymbolName,
  removeScopeLimits,
} from "./symbol_name.ts";
import { addSeenCalls } from "./seen_calls.ts";
import type { ReferencePlace } from "./reference_spots.ts";
import { findReferencePlaces, formatUnprovedNotices, listPlaces } from "./reference_spots.ts";
import type { NameHolders, TextMention, TextMentions } from "./text_mentions.ts";
import {
  findHolding,
  findTextMentions,
  formatMentionNotices,
  isWord,
  literalOf,
  readNameHolders,
} from "./text_mentions.ts";

/** Finds the places that name a symbol; files are read where the index does not answer. */
export async function findReferences(
  context: QuestionContext,
  input: FindReferencesInput,
  options: ExploreOptions,
): Promise<ReferencesFound | QuestionRefused> {
  const name = parseSymbolName(input.symbol);
  const limits = await resolveLimits(context, input, options.signal);
  if (name.kind === "refused" || limits.kind === "refused") {
    const own = name.kind === "refused" ? [name.problem] : [];
    const others = limits.kind === "refused" ? limits.problems : [];
    return { kind: "refused", problems: [...own, ...others] };
  }
  const wanted = name.value;
  const everywhere = await removeScopeLimits(context, input);
  const { covers } = limits;
  const question = { context, wanted, input, covers, everywhere, ...options };
  const isAbout = holdsName(context, wanted.name);
  const access = await openIndexFor(context, input, { ...options, isAbout });
  const indexed = access?.kind === "ready"
    ? await answerFrom(createIndexSource(context, access), question)
    : null;
  const isWhole = context.stored !== undefined;
  if (indexed !== null && (indexed.total > 0 || indexed.elsewhere > 0 || isWhole)) {
    return indexed.found;
  }
  const peek = await LiveFiles.open(context, input, access, options);
  if ("problems" in peek) return peek;
  using files = peek;
  const literal = literalOf(wanted);
  const whole = { ignoreCase: false, wholeWord: isWord(literal) };
  const holding = await files.findHolding(literal, whole);
  await files.add(holding);
  await files.addPassingOn(holding);
  const { found, total } = await answerFrom(files.toGround(), { ...question, holding });
  if (total > 0) return found;
  const notices = [...indexed?.found.notices ?? [], ...found.notices ?? []];
  const told = notices.length > 0 || access?.kind !== "ready"
    ? notices
    : await context.index.read((view) => formatSpellingNotices(view, wanted.name));
  return told.length === 0 ? found : { ...found, notices: [...new Set(told)] };
}

interface Question {
  readonly context: QuestionContext;
  readonly wanted: SymbolName;
  readonly covers: (path: string) => boolean;
  /** The question without its limits, where it has some. */
  readonly everywhere: UnlimitedScope | null;
  readonly input: FindReferencesInput;
  /** Files that hold the name, where no index says it. */
  readonly holding?: readonly string[];
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly found: ReferencesFound;
  readonly total: number;
  /** Places that lead to another definition. */
  readonly elsewhere: number;
}

async function answerFrom(ground: QuestionSource, question: Question): Promise<Answer> {
  const { context: { runs }, wanted, input, covers, everywhere, signal } = question;
  const end = signal === undefined ? {} : { signal };
  const leading = await input.readLeading?.();
  const { holders, ...found } = await ground.facts.ask((_, open) => {
    const facts = open();
    const places = findReferencePlaces(facts, { covers, wanted, input, leading });
    return { ...places, holders: readNameHolders(facts, [literalOf(wanted)]) };
  }, end);
  const { asked } = found;
  const state = asked.some(({ kind }) => isCallable(kind)) ? await runs?.load() ?? null : null;
  const spots = state === null
    ? found.spots
    : await ground.read((view) =>
      addSeenCalls(found.spots, state, { view, callees: asked, covers })
    );
  const text = await readText(ground, holders, { ...question, isStrict: spots.length > 0 });
  const all = input.includeText ? mergeText(spots, text.places) : spots;
  const away = everywhere === null || all.length > 0 || found.elsewhere > 0
    ? []
    : await ground.facts.ask((_, open) => listPlaces(open(), wanted, everywhere.covers), end);
  const offset = input.offset ?? 0;
  const shown = await readLines(ground.facts, all.slice(offset, offset + input.maxResults));
  const notices = [
    ...ground.notices,
    ...all.length > 0 ? await ground.takeLeftOut() : [],
    ...ground.facts.toNotices(),
    ...formatUnprovedNotices(found, wanted),
    ...everywhere === null || away.length === 0
      ? []
      : [formatElsewhereNotice(wanted.name, everywhere, { verb: "named", places: away })],
    ...listTextNotices(text, question, spots.length === 0),
    ...formatNoGrammarNotices(shown.map(({ path }) => languageOfPath(path)?.name)),
  ];
  const byKind: Partial<Record<Reference["kind"], number>> = {};
  for (const { kind } of all) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const sources = new Set(ground.source.split("+"));
  if (found.isProven) sources.add("scip");
  for (const source of text.sources) sources.add(source);
  return {
    total: all.length,
    elsewhere: found.elsewhere,
    found: {
      kind: "found",
      references: shown,
      sameNamed: found.definitions.length,
      byKind,
      files: new Set(all.map(({ path }) => path)).size,
      total: all.length,
      source: [...sources].join("+"),
      freshness: ground.freshness,
      shownFiles: [...new Set(shown.map(({ path }) => path))],
      shownSymbols: shown.length === 0 ? [] : [wanted.whole],
      ...(notices.length === 0 ? {} : { notices: [...new Set(notices)] }),
    },
  };
}

/** What the answer leaves out of the text; of a name that no code has, comments are told too. */
function listTextNotices(
  text: TextMentions,
  { input, wanted: { name } }: Question,
  isAll: boolean,
): readonly string[] {
  if (input.includeText) return formatUnreadNotices(text.unread);
  return formatMentionNotices(text, { name, isAll }).map((told) =>
    `${told} include_text lists them.`
  );
}

/** Who asks for text gets that of all files; else the answer only says what of it may be a use. */
async function readText(
  { facts }: QuestionSource,
  holders: NameHolders,
  { context, input, covers, everywhere, holding, isStrict, signal }: Question & {
    readonly isStrict: boolean;
  },
): Promise<TextMentions> {
  const end = signal === undefined ? {} : { signal };
  const scope = input.includeText ? await resolveScope(context, input, signal) : null;
  const sources = new Set<string>();
  const found = scope?.kind === "scope"
    ? await findHolding(context, holders.names[0] ?? "", { files: scope.files, sources, ...end })
    : null;
  const files = found?.files ?? holding;
  const text = await findTextMentions(context, facts, {
    ...holders,
    ...(files === undefined ? {} : { files: [files] }),
    // A question without limits is about hidden files too: what builds and runs the project is there.
    covers: everywhere === null ? () => true : covers,
    isStrict: isStrict && !input.includeText,
    ...end,
  });
  return {
    ...text,
    sources: [...sources, ...text.sources],
    unread: text.unread + (found?.late ?? 0),
  };
}

/** Places in code and in text, each once, in the order of their places. */
function mergeText(
  spots: readonly ReferencePlace[],
  text: readonly TextMention[],
): readonly ReferencePlace[] {
  const more = text.map(({ path, line, column }): ReferencePlace => ({
    ...{ path, line, column, kind: "text", confidence: "name" },
  }));
  return [...spots, ...more].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column
  );
}

/** Reads the lines of the places that are shown, each file once. */
async function readLines(
  facts: FactStore,
  spots: readonly ReferencePlace[],
): Promise<readonly Reference[]> {
  const paths = [...new Set(spots.map(({ path }) => path))];
  const lines = new Map(
    await Promise.all(paths.map(async (path) => [path, await facts.readLines(path)] as const)),
  );
  return spots.map((spot) => {
    const line = lines.get(spot.path)?.[spot.line - 1] ?? "";
    const text = cutLine(line, [[spot.column - 1, spot.column]]).text;
    return { ...spot, text };
  });
}
