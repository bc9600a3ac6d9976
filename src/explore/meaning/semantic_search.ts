/**
 * Answers questions in words: the index ranks the files, and the text that is shown is read from the
 * files as they are now.
 */
import { formatCount } from "../../base/text/plain_text.ts";
import type {
  MeaningAccess,
  MeaningOptions,
  MeaningSearch,
  SemanticFound,
  SemanticInput,
} from "./meaning_types.ts";
import { comparePaths } from "../../backends/text_query.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { makeProblem } from "../../base/problem.ts";
import { call, say, tool } from "../../base/text/words.ts";
import { createChunkReader, readChunkDetails } from "./chunk_detail.ts";
import type { LearnedPlace } from "./map_hits.ts";
import { findLearnedPlaces, findPastPlaces, mergeLearnedPlaces, SURE_SCORE } from "./map_hits.ts";
import { measureAnswer, rateConfidence } from "../../ranking/confidence.ts";
import { RankingMemory } from "../../ranking/content_facts.ts";
import { WHOLE_PATH } from "../../ranking/features.ts";
import { searchHybrid } from "../../ranking/hybrid_search.ts";
import { readQuery } from "../../ranking/query_kind.ts";
import { askHistory } from "../../history/question_past.ts";
import { buildHit, buildLearnedHit, buildPastHit, selectChunks } from "./semantic_hits.ts";
import type { RatedFile } from "../../ranking/code_search.ts";
import type { AnswerEvidence } from "../../ranking/confidence.ts";
import type { QueryForm } from "../../ranking/query_kind.ts";
import type { ExploreOptions, IndexFreshness, QuestionRefused } from "../explorer.ts";
import { formatIndexLag, waitForIndex } from "../index_access.ts";
import { resolveLimits } from "../scope.ts";
import { askUntilStable } from "../settled.ts";

type SearchContext = MeaningOptions & { readonly memory: RankingMemory };

/** Makes the search. Nothing is opened before the first question. */
export function createMeaningSearch(context: MeaningOptions): MeaningSearch {
  const { memory = new RankingMemory() } = context;
  return {
    search: (input, options = {}) =>
      askUntilStable<SemanticFound, QuestionRefused>(
        () => search({ ...context, memory }, input, options),
        { index: context.index, filesOf: ({ shownFiles }) => shownFiles, without: withoutHits },
      ),
    readChunks: async (input, options = {}) => {
      const limits = await resolveLimits(context, input, options.signal);
      if (limits.kind === "refused") return limits;
      const access = await openForMeaning(context, options);
      if (access.kind === "refused") return access;
      return await readChunkDetails(context, { ids: input.ids, covers: limits.covers, ...access });
    },
  };
}

function withoutHits(found: SemanticFound, changed: ReadonlySet<string>): SemanticFound {
  const hits = found.hits.filter(({ path }) => !changed.has(path));
  return {
    ...found,
    hits,
    total: found.total - (found.hits.length - hits.length),
    shownFiles: found.shownFiles.filter((path) => !changed.has(path)),
  };
}

/** Files of an answer that the next question of its kind is likely to rank again. */
const EMBEDDED_FIRST = 50;

async function search(
  context: SearchContext,
  input: SemanticInput,
  options: ExploreOptions,
): Promise<SemanticFound | QuestionRefused> {
  const limits = await resolveLimits(context, input, options.signal);
  if (limits.kind === "refused") return limits;
  const access = await openForMeaning(context, options);
  if (access.kind === "refused") return access;
  const { covers, path: under } = limits;
  const learned = await findLearned(context, input, covers);
  return input.collection === "map"
    ? await searchMap(context, { input, access, learned, covers })
    : await searchCode(context, { input, access, learned, covers }, { ...options, under });
}

/** What an answer is made of beside the code. */
interface Material {
  readonly input: SemanticInput;
  readonly access: MeaningAccess;
  readonly learned: Learned;
  readonly covers: (path: string) => boolean;
}

/** The answer of the code, with what was learned beside it. */
async function searchCode(
  context: SearchContext,
  { input, access, learned, covers }: Material,
  options: ExploreOptions & { readonly under: string },
): Promise<SemanticFound> {
  const { index, memory } = context;
  const target = chooseTarget(input);
  const question = target === undefined ? input.query : `${input.query} ${target}`;
  const set = await context.loadScales();
  const scales = input.byWords === true ? { ...set, vector: 0 } : set;
  const past = askHistory(await context.history?.peek() ?? null, question);
  const asked = { memory, scales, ...options, ...(past === null ? {} : { past }) };
  const { query, isGuessed, files, isHybrid, notice } = await searchHybrid(index, question, asked);
  const covered = files.filter(({ item, score }) => score > 0 && covers(item.path));
  const lifted = mergeLearnedPlaces(covered, learned.places);
  const offset = input.offset ?? 0;
  const page = lifted.slice(offset, offset + input.maxResults);
  const { chosen, grounds } = await index.read((view) => ({
    chosen: selectChunks(view, query, page),
    grounds: measureAnswer(view, memory, { query, files: covered }),
  }));
  const [best] = lifted;
  const confidence = best?.place === undefined
    ? rateConfidence(grounds, { query, isGuessed, best: best?.ranked?.item })
    : "high";
  if (context.isBrief !== true && input.byWords !== true) {
    const first = files.slice(0, EMBEDDED_FIRST).map(({ item }) => item.path);
    void goOnEmbedding(context, { first, isForeign: query.kind === "foreign" });
  }
  const read = createChunkReader(context);
  const words = query.words.map(({ text }) => text);
  const hits = await Promise.all(chosen.map((one) => buildHit(one, { input, read, words })));
  return {
    collection: learned.places.length === 0 ? "forest" : "map+forest",
    queryKind: query.kind,
    ...(target === undefined ? {} : { target }),
    confidence,
    total: lifted.length,
    source: isHybrid ? "index+vectors" : "index",
    ...buildAnswer(hits, access, [
      ...listStaleNotices(learned),
      ...notice === null ? [] : [notice],
      ...listLineNotices(query, best?.ranked?.item),
      ...confidence === "low" ? listLowNotices(query, grounds) : [],
    ]),
  };
}

/** The hits of an answer, with what all answers say of them. */
function buildAnswer(
  hits: SemanticFound["hits"],
  { freshness, notices }: MeaningAccess,
  more: readonly string[],
) {
  const all = [...notices, ...more];
  return {
    kind: "found" as const,
    hits,
    freshness,
    shownFiles: hits.map(({ path }) => path).sort(comparePaths),
    shownSymbols: [...new Set(hits.flatMap(({ name }) => name ?? []))],
    ...(all.length === 0 ? {} : { notices: all }),
  };
}

/**
 * Makes missing vectors of the model behind the answer, where the question is one that they are
 * asked for. The files that the answer ranked high come first.
 */
async function goOnEmbedding(
  { index }: MeaningOptions,
  { first, isForeign }: { readonly first: readonly string[]; readonly isForeign: boolean },
): Promise<void> {
  const meaning = await index.meaning(isForeign ? "foreign" : "all").catch(() => null);
  meaning?.start({ first, hasTexts: isForeign });
}

type Access = (MeaningAccess & { readonly kind: "open" }) | QuestionRefused;

/** An index that is still being built answers with what it knows, and says so; an empty one cannot. */
async function openForMeaning(context: MeaningOptions, options: ExploreOptions): Promise<Access> {
  const waitMs = LIMITS.indexWaitMs.value;
  const { signal } = options;
  const end = signal === undefined ? {} : { signal };
  const access = await waitForIndex(context, { waitMs, ...end });
  if (access.kind === "ready") return { kind: "open", freshness: access.freshness, notices: [] };
  const { freshness } = access;
  if (freshness !== null && freshness.files > 0) {
    const behind = formatIndexLag(freshness.pending, freshness.files);
    const notice = `${behind} yet: what is new in there is not found.`;
    return { kind: "open", freshness, notices: [`${notice} Ask again when it is built.`] };
  }
  const problem = freshness === null
    ? makeProblem("index_not_ready", access.notice.replace(/\.$/, ""), {
      hint: access.hint ??
        say`${tool("search_text")} and ${
          tool("find_definitions")
        } answer meanwhile; \`code-intel doctor\` says what is wrong.`,
    })
    : makeProblem("index_not_ready", formatUnbuilt(freshness), {
      hint: say`Ask again in a moment, or ${call("sync_index")}; ${tool("search_text")} and ${
        tool("find_definitions")
      } answer meanwhile.`,
    });
  return { kind: "refused", problems: [problem] };
}

function formatUnbuilt({ builder }: IndexFreshness): string {
  const unbuilt = "The index of this project is not built yet";
  if (builder === undefined) return unbuilt;
  return `${unbuilt}: process ${builder.process} has done ${builder.done} of ${
    formatCount(builder.total, "file")
  }`;
}

/** A question with fewer words of its own says too little to be answered without the work that it belongs to. */
const TELLING_WORDS = 2;

/**
 * Words of the target help a question in words; a name or a path says itself what it means. A target that the question
 * does not name itself, that of the session, is added only where the question says little: else each question of the
 * session would be one about its target.
 */
function chooseTarget({ query, targetFeature, sessionTarget }: SemanticInput): string | undefined {
  const { kind, words } = readQuery(query);
  if (kind === "symbol" || kind === "path" || kind === "error") return undefined;
  return targetFeature ?? (words.length < TELLING_WORDS ? sessionTarget : undefined);
}

const MAP_HITS = 5;

/** What was learned of a question, as far as it is in the code now. */
interface Learned {
  readonly places: readonly LearnedPlace[];
  /** Names of learned terms whose symbols are not there any more. */
  readonly stale: readonly string[];
}

/**
 * Asks the Map with the question alone: words of the session's target would make every question one about
 * that target. Beside the code only what is sure counts; who asks the Map itself gets all.
 */
async function findLearned(
  { askMap, index }: MeaningOptions,
  { query, collection }: SemanticInput,
  covers: (path: string) => boolean,
): Promise<Learned> {
  if (collection === "forest" || askMap === undefined) return { places: [], stale: [] };
  const learned = await askMap(query, { maxHits: MAP_HITS });
  const usable = collection === "map"
    ? learned
    : learned.filter(({ score }) => score >= SURE_SCORE);
  if (usable.length === 0) return { places: [], stale: [] };
  const { places, stale } = await index.read((view) => findLearnedPlaces(view, usable));
  return { places: places.filter(({ symbol }) => covers(symbol.path)), stale };
}

function listStaleNotices({ stale }: Learned): readonly string[] {
  return stale.length === 0 ? [] : [`Learned, but not in the code any more: ${stale.join(", ")}.`];
}

/** The answer to who asks for what was learned and nothing else. */
async function searchMap(
  context: MeaningOptions,
  { input, access, learned, covers }: Material,
): Promise<SemanticFound> {
  const known = await context.history?.peek() ?? null;
  const asked = { known, question: input.query, covers };
  const past = await context.index.read((view) => findPastPlaces(view, asked));
  const own = new Set(learned.places.map(({ symbol }) => symbol.path));
  const places = [...learned.places, ...past.filter(({ path }) => !own.has(path))];
  const read = createChunkReader(context);
  const offset = input.offset ?? 0;
  const page = places.slice(offset, offset + input.maxResults);
  const hits = await Promise.all(
    page.map((place) => "from" in place ? buildPastHit(place, read) : buildLearnedHit(place, read)),
  );
  return {
    collection: "map",
    queryKind: readQuery(input.query).kind,
    confidence: (learned.places[0]?.learned.score ?? 0) >= SURE_SCORE ? "high" : "low",
    total: places.length,
    source: "index",
    ...buildAnswer(hits, access, [
      ...listStaleNotices(learned),
      ...places.length > 0 ? [] : [NOTHING_LEARNED],
    ]),
  };
}

const NOTHING_LEARNED = "The map has nothing for this question. " +
  'Ask with collection "forest" to search the code.';

/** Said where the file that is asked for has not so many lines. */
function listLineNotices({ line }: QueryForm, best: RatedFile | undefined): readonly string[] {
  if (line === null || best === undefined || (best.features.path ?? 0) < WHOLE_PATH) return [];
  const { path, candidate: { lineCount } } = best;
  return line <= lineCount ? [] : [`${path} has ${formatCount(lineCount, "line")}.`];
}

const MOST_NAMED_WORDS = 5;

/** What would help where an answer is hardly one; nothing where it says so already. */
function listLowNotices(query: QueryForm, { unknownWords }: AnswerEvidence): readonly string[] {
  if (query.kind === "foreign") return [];
  const words = unknownWords.slice(0, MOST_NAMED_WORDS).map((word) => `"${word}"`).join(", ");
  const lacks = words === "" ? "No file says much of this question" : `No file has ${words}`;
  return [`${lacks}: it may not be here. A name, a path or the words of the code would say more.`];
}
