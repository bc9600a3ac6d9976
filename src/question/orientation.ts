/**
 * A first look at the code of a request, in a few lines. It says where each name is defined, and
 * names the likeliest definitions with their users, callees and nearby tests. It follows one hop,
 * and passes through functions that only hand on to another one. So a cause beside the code that
 * the request names comes into view.
 */
import type { Definition, Explorer, Reference } from "../explore/explorer.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import { languageByName } from "../language/languages.ts";
import { maskText } from "../language/mask.ts";
import { parseTestName } from "../language/test_names.ts";
import { readTerms } from "./terms.ts";

/** What a first look shows. Places are `path:line` or `path:start-end`, as other tools take and print them. */
export interface Orientation {
  readonly places: readonly OrientationPlace[];
  /** Tests that use what is shown, as `path:line name`, the nearest first; a file alone where no function holds the place. */
  readonly tests: readonly string[];
  /** Names of the request that are no row of `places`: where they are defined, or that they are not. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A definition that the request is probably about, or a file without one. */
export interface OrientationPlace {
  readonly at: string;
  readonly symbol?: string;
  /** Places that lead to it by an import or a scope; only proven ones. */
  readonly usedBy?: readonly string[];
  /** Definitions that its body leads to, as `name path:line`; only proven ones. */
  readonly calls?: readonly string[];
  /** The function before it in the list, which only calls this one. */
  readonly via?: string;
}

const MOST_PLACES = 6;
const MOST_HITS = 6;
/**
 * A hit of less than this share of the best score is left out: it is there only because something has to be last. Of 81
 * questions on four repositories 96 % of the right files stay, three a question. Beside what the frame names itself only
 * what is nearly as good as the best helps.
 */
const LEAST_SHARE = 0.6;
const LEAST_SHARE_BESIDE_NAMED = 0.8;
/** Definitions of one name that are still shown all. */
const MOST_SAME_NAMED = 3;
/** Definitions whose neighbours are looked up: each costs some questions to the index. */
const MOST_FOLLOWED = 5;
const MOST_USERS = 4;
const MOST_CALLS = 6;
const MOST_TESTS = 6;
const MOST_TESTS_OF_FILE = 3;
/** Each costs a look into its file. */
const MOST_TEST_USES = 12;
const MOST_NAMES = 12;
const REFERENCES_READ = 60;
/** Functions behind each other that only call the next one. */
const MOST_HOPS = 3;
/** A longer body does something of its own. */
const WRAPPER_LINES = 8;
/** Calls of such a body, those of the language and of other packages among them. */
const WRAPPER_CALLS = 3;

/** What is looked at with. */
export interface OrientationOptions {
  readonly explorer: Explorer;
  readonly meaning: Pick<MeaningSearch, "search">;
  /** Symbols that the agent names as its targets. */
  readonly symbols: readonly string[];
  /** From this time of `performance.now()` on no neighbours are looked up any more; default never. */
  readonly endsAt?: number;
  readonly signal?: AbortSignal;
}

/** Where something is defined, or a piece of code. */
interface Place {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly symbol?: string;
}

/** Looks at the code for a request: first what it names, then what answers it best; empty lists where nothing is found. */
export async function orient(request: string, options: OrientationOptions): Promise<Orientation> {
  const { named, names } = await findNamed(request, options);
  const hits = await search(request, options);
  const leastShare = named.length === 0 ? LEAST_SHARE : LEAST_SHARE_BESIDE_NAMED;
  const isTest = ({ path }: { readonly path: string }) => parseTestName(path) !== null;
  const shown = new Set(named.map(({ path }) => path));
  const beside = hits.filter((hit) =>
    hit.share >= leastShare && !isTest(hit) && !shown.has(hit.path)
  );
  const picked: readonly Place[] = [...named, ...beside].slice(0, MOST_PLACES);
  const places: OrientationPlace[] = [];
  const tests: TestPlace[] = [];
  for (const [index, place] of picked.entries()) {
    const { symbol } = place;
    if (symbol === undefined || index >= MOST_FOLLOWED || isLate(options)) {
      places.push(buildRow(place));
      continue;
    }
    const users = await findUsers(place, symbol, options);
    const usedBy = users.filter((user) => !isTest(user)).map(({ path, line }) => `${path}:${line}`);
    tests.push(...users.filter(isTest));
    const chain = await followCalls(place, options);
    const others = new Set(picked.filter((one) => one !== place).map(formatPlace));
    const [own, ...behind] = chain;
    places.push({
      ...buildRow(place),
      ...(usedBy.length === 0 ? {} : { usedBy: usedBy.slice(0, MOST_USERS) }),
      ...(own === undefined || own.calls.length === 0 ? {} : { calls: own.calls }),
    });
    places.push(
      ...behind.filter((one) => !others.has(formatPlace(one.place))).map((
        { place, calls, via },
      ) => ({
        ...buildRow(place),
        via,
        ...(calls.length === 0 ? {} : { calls }),
      })),
    );
  }
  const near = sortByNames([...tests, ...hits.filter(isTest)], named.length > 0 ? named : picked);
  return {
    places,
    tests: await nameTests(near, options),
    ...(Object.keys(names).length === 0 ? {} : { names }),
  };
}

function isLate({ endsAt = Infinity }: OrientationOptions): boolean {
  return performance.now() >= endsAt;
}

function buildRow(place: Place): OrientationPlace {
  const { symbol } = place;
  return { at: formatPlace(place), ...(symbol === undefined ? {} : { symbol }) };
}

/** Tests whose file is named after a shown symbol first, then those named after its file; else as they came. */
function sortByNames(tests: readonly TestPlace[], shown: readonly Place[]): readonly TestPlace[] {
  const toPlain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");
  const symbols = new Set(shown.flatMap(({ symbol = "" }) => symbol.split(".").map(toPlain)));
  const files = new Set(
    shown.map(({ path }) => toPlain(path.replace(/^.*\//, "").replace(/\.\w+$/, ""))),
  );
  const toRank = ({ path }: TestPlace) => {
    const subject = toPlain(parseTestName(path)?.subject ?? "");
    return subject === "" ? 2 : symbols.has(subject) ? 0 : files.has(subject) ? 1 : 2;
  };
  return tests.toSorted((a, b) => toRank(a) - toRank(b));
}

interface TestPlace {
  readonly path: string;
  readonly line: number;
}

/** The test functions that hold the places, each once, by the line where they are defined. */
async function nameTests(
  places: readonly TestPlace[],
  options: OrientationOptions,
): Promise<readonly string[]> {
  const { explorer, signal } = options;
  const named = new Map<string, string>();
  const perFile = new Map<string, number>();
  for (const { path, line } of places.slice(0, MOST_TEST_USES)) {
    const count = perFile.get(path) ?? 0;
    if (named.size === MOST_TESTS || count === MOST_TESTS_OF_FILE || isLate(options)) continue;
    const found = await explorer.getFunctionAtLine(
      { path, line, contextLines: 0 },
      buildExploreOptions(signal),
    );
    const holder = found.kind === "refused" ? undefined : found.definition;
    const title = holder === undefined ? "" : ` ${formatTestTitle(holder)}`;
    if (named.has(`${path}${title}`)) continue;
    const at = holder === undefined ? path : `${path}:${holder.line}`;
    named.set(`${path}${title}`, `${at}${title}`);
    perFile.set(path, count + 1);
  }
  return [...named.values()];
}

/** The test that holds a function, or its title where it has no name but a place: `(function in it "adds")`. */
function formatTestTitle({ name, scope }: Pick<Definition, "name" | "scope">): string {
  const title = /^\(function in \S+ "(.+)"\)$/.exec(name)?.[1];
  if (title !== undefined) return title;
  const parts = [...scope?.split(".") ?? [], name];
  const at = parts.findIndex((part) =>
    /^(?:test|it|should)/i.test(part) && !/^Test[A-Z]/.test(part)
  );
  return parts.slice(0, at < 0 ? parts.length : at + 1).join(".");
}

function formatPlace({ path, line, endLine }: Place): string {
  return endLine <= line ? `${path}:${line}` : `${path}:${line}-${endLine}`;
}

/** What the request and its frame name. */
interface Named {
  /** Definitions of the target symbols, and of the other names that have a single one. */
  readonly named: readonly Place[];
  readonly names: Readonly<Record<string, string>>;
}

/**
 * The definitions of the target symbols, and of every other name of the request. A name that several have says little: of a
 * target it is left to the search, of another it is said in a few words.
 */
async function findNamed(
  request: string,
  { explorer, symbols, signal }: OrientationOptions,
): Promise<Named> {
  const find = async (symbol: string) => {
    const found = await explorer.findDefinitions({
      symbol,
      exactMatch: true,
      maxResults: MOST_SAME_NAMED + 1,
    }, buildExploreOptions(signal));
    return found.kind === "refused" ? [] : found.definitions;
  };
  const named: Place[] = [];
  const names: Record<string, string> = {};
  for (const symbol of symbols.slice(0, MOST_PLACES)) {
    const found = await find(symbol);
    if (found.length <= MOST_SAME_NAMED) named.push(...found.map(buildPlace));
  }
  const known = new Set(symbols.map(lastPartOf));
  for (const name of readTerms(request).symbols) {
    if (known.has(lastPartOf(name))) continue;
    const found = await find(name);
    const [only] = found;
    if (only !== undefined && found.length === 1 && named.length < MOST_PLACES) {
      named.push(buildPlace(only));
    } else if (found.length > MOST_SAME_NAMED) {
      names[name] = `more than ${MOST_SAME_NAMED} definitions`;
    } else if (found.length > 0) {
      names[name] = found.map(({ path, line }) => `${path}:${line}`).join(", ");
    } // A word such as GitHub is no name of the code unless it is written as one.
    else if (request.includes(`\`${name}`)) names[name] = "not defined";
  }
  return { named, names };
}

function buildPlace({ path, line, endLine = line, name, scope }: Definition): Place {
  return { path, line, endLine, symbol: scope === undefined ? name : `${scope}.${name}` };
}

function lastPartOf(name: string): string {
  return name.split(/::|->|[.#\\]/).findLast((part) => part !== "") ?? name;
}

/** A place with its share of the best score. */
type Hit = Place & { readonly share: number };

async function search(request: string, { meaning, signal }: OrientationOptions): Promise<Hit[]> {
  const found = await meaning.search({
    query: request,
    collection: "auto",
    maxResults: MOST_HITS,
    explain: false,
    // A step is no question to the model: it costs a second and 250 MB when it is used first.
    byWords: true,
  }, buildExploreOptions(signal));
  if (found.kind === "refused") return [];
  const best = found.hits[0]?.score ?? 0;
  return found.hits.map(({ path, startLine, endLine, name, score }) => ({
    path,
    line: startLine,
    endLine,
    share: best === 0 ? 0 : score / best,
    ...(name === undefined ? {} : { symbol: name }),
  })).filter(({ share }) => share >= LEAST_SHARE);
}

function buildExploreOptions(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}

async function findUsers(
  { path, line }: Place,
  symbol: string,
  { explorer, signal }: OrientationOptions,
): Promise<readonly Reference[]> {
  const name = symbol.split(".").at(-1) ?? symbol;
  const found = await explorer.findReferences(
    buildReferencesInput(name),
    buildExploreOptions(signal),
  );
  if (found.kind === "refused") return [];
  return found.references.filter(({ kind, definedAt }) =>
    kind !== "definition" && kind !== "import" && definedAt === `${path}:${line}`
  );
}

/** A function with what it calls. */
interface Calling {
  readonly place: Place;
  /** Definitions that its body leads to, as `name path:line`, in the order of the body. */
  readonly calls: readonly string[];
  /** The function that only calls it; empty for the first. */
  readonly via: string;
}

/** What a definition calls; where it only hands on to another function, that one with its calls, and so on. */
async function followCalls(
  start: Place,
  options: OrientationOptions,
): Promise<readonly Calling[]> {
  const chain: Calling[] = [];
  let next: Pick<Place, "path" | "line"> | null = start;
  let via = "";
  while (next !== null && chain.length <= MOST_HOPS) {
    const body = await readBody(next, options);
    if (body === null) break;
    const { place, calls, wraps } = body;
    if (chain.some((one) => formatPlace(one.place) === formatPlace(place))) break;
    // The function that is handed on to follows as a row of its own.
    chain.push({ place, calls, via });
    next = wraps;
    via = place.symbol ?? "";
  }
  return chain;
}

interface Body extends Pick<Calling, "place" | "calls"> {
  /** Where the one function is defined that it only calls; null where it does more. */
  readonly wraps: Pick<Place, "path" | "line"> | null;
}

/** The function of a line and what it calls; null where there is none. */
async function readBody(
  { path, line }: Pick<Place, "path" | "line">,
  { explorer, signal }: OrientationOptions,
): Promise<Body | null> {
  const options = buildExploreOptions(signal);
  const body = await explorer.getFunctionAtLine({ path, line, contextLines: 0 }, options);
  if (body.kind === "refused" || body.definition === undefined) return null;
  const { definition, content } = body;
  const place = buildPlace(definition);
  const language = languageByName(definition.language);
  const text = content.join("\n");
  const code = language === undefined ? text : maskText(text, language);
  const all = [...code.matchAll(/(\.\s*|->\s*)?([A-Za-z_$][\w$]*)\s*\(/g)]
    .map(([, receiver, name = ""]) => ({ name, isMember: receiver !== undefined }));
  // Its own name stands in its head; a second one may lead to what has the same name elsewhere.
  const found = all.filter(({ name }, at) =>
    !KEYWORDS.has(name) &&
    (name !== definition.name || all.findIndex((one) => one.name === name) < at)
  );
  // Members are those of other packages and of the language, as a rule.
  const [members, plain] = [true, false].map((isMember) =>
    found.filter((one) => one.isMember === isMember).map(({ name }) => name)
  );
  const names = new Set([...plain ?? [], ...members ?? []]);
  const calls: string[] = [];
  let last: string | undefined;
  for (const name of [...names].slice(0, MOST_NAMES)) {
    const found = await explorer.findReferences({ ...buildReferencesInput(name), path }, options);
    if (found.kind === "refused") continue;
    const inside = found.references.find((reference) =>
      reference.definedAt !== undefined && reference.kind !== "definition" &&
      reference.definedAt !== `${place.path}:${place.line}` && reference.line >= place.line &&
      reference.line <= place.endLine
    );
    last = inside?.definedAt ?? last;
    if (inside?.definedAt !== undefined) calls.push(`${name} ${inside.definedAt}`);
    if (calls.length === MOST_CALLS) break;
  }
  const isWrapper = names.size <= WRAPPER_CALLS && calls.length === 1 &&
    countCode(content) <= WRAPPER_LINES;
  const [, file, at] = isWrapper ? /^(.+):(\d+)$/.exec(last ?? "") ?? [] : [];
  return { place, calls, wraps: file === undefined ? null : { path: file, line: Number(at) } };
}

/** Words before a parenthesis that call nothing. */
const KEYWORDS = new Set(
  "if for while switch catch return match with elif func function def fn and or not in is await"
    .split(" "),
);

/** Lines that are neither blank nor a comment by their beginning; a text over several lines counts. */
function countCode(lines: readonly string[]): number {
  return lines.filter((line) => !/^\s*(?:$|\/\/|#|\*|\/\*|--)/.test(line)).length;
}

function buildReferencesInput(symbol: string) {
  return {
    symbol,
    includeText: false,
    includeHidden: false,
    includeIgnored: false,
    offset: 0,
    maxResults: REFERENCES_READ,
  };
}
