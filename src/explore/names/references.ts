/**
 * Answers `findReferences`: places in code, each with the definition that an import or a scope leads to. Comments and
 * strings are read from the files when asked for.
 */
import { isCallable } from "../../language/kinds.ts";
import { languageOfPath } from "../../language/languages.ts";
import { cutLine } from "../../backends/text_query.ts";
import type { SeenRuns } from "../../index/seen_runs.ts";
import type {
  ExploreOptions,
  FindReferencesInput,
  QuestionRefused,
  Reference,
  ReferencesFound,
} from "../explorer.ts";
import { LiveFiles } from "../file_peek.ts";
import type { QuestionContext, QuestionSource } from "../index_access.ts";
import {
  createIndexSource,
  formatNoGrammarNotices,
  holdsName,
  openIndexFor,
} from "../index_access.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import { resolveLimits } from "../scope.ts";
import type { SymbolName, UnlimitedScope } from "./symbol_name.ts";
import {
  formatElsewhereNotice,
  formatSpellingNotices,
  parseSymbolName,
  removeScopeLimits,
} from "./symbol_name.ts";
import { addSeenCalls } from "./seen_calls.ts";
import type { ReferencePlace } from "./reference_spots.ts";
import {
  findReferencePlaces,
  formatTextOnlyNotices,
  formatUnprovedNotices,
  listPlaces,
} from "./reference_spots.ts";
import type { TextMentions } from "./text_mentions.ts";
import { findTextMentions, isWord, literalOf, mergeText } from "./text_mentions.ts";

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
  const text = input.includeText
    ? await findTextMentions(context, input, { wanted, ...options })
    : null;
  const everywhere = await removeScopeLimits(context, input);
  const { runs } = context;
  const question = { wanted, input, covers: limits.covers, everywhere, text, runs, ...options };
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
  const { found, total } = await answerFrom(files.toGround(), question);
  if (total > 0) return found;
  const notices = [
    ...indexed?.found.notices ?? [],
    ...found.notices ?? [],
    ...input.includeText ? [] : formatTextOnlyNotices(holding.length),
  ];
  const told = notices.length > 0 || access?.kind !== "ready"
    ? notices
    : await context.index.read((view) => formatSpellingNotices(view, wanted.name));
  return told.length === 0 ? found : { ...found, notices: [...new Set(told)] };
}

interface Question {
  readonly wanted: SymbolName;
  readonly covers: (path: string) => boolean;
  /** The question without its limits, where it has some. */
  readonly everywhere: UnlimitedScope | null;
  readonly input: FindReferencesInput;
  /** Places in text, where they were asked for. */
  readonly text: TextMentions | null;
  readonly runs: SeenRuns | undefined;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly found: ReferencesFound;
  readonly total: number;
  /** Places that lead to another definition. */
  readonly elsewhere: number;
}

async function answerFrom(ground: QuestionSource, question: Question): Promise<Answer> {
  const { wanted, input, covers, everywhere, text, runs, signal } = question;
  const end = signal === undefined ? {} : { signal };
  const leading = await input.readLeading?.();
  const found = await ground.facts.ask(
    (_, open) => findReferencePlaces(open(), { covers, wanted, input, leading }),
    end,
  );
  const { asked } = found;
  const state = asked.some(({ kind }) => isCallable(kind)) ? await runs?.load() ?? null : null;
  const spots = state === null
    ? found.spots
    : await ground.read((view) =>
      addSeenCalls(found.spots, state, { view, callees: asked, covers })
    );
  const all = mergeText(spots, text?.references ?? []);
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
    ...text?.notices ?? [],
    ...formatNoGrammarNotices(shown.map(({ path }) => languageOfPath(path)?.name)),
  ];
  const byKind: Partial<Record<Reference["kind"], number>> = {};
  for (const { kind } of all) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const sources = new Set(ground.source.split("+"));
  if (found.isProven) sources.add("scip");
  if (text !== null) sources.add(text.source);
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
