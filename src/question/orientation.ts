/**
 * A first look at the code of a request, in a few lines. It says where each name is defined, and
 * names the likeliest definitions with their users, callees and nearby tests. It follows one hop,
 * and passes through functions that only hand on to another one. So a cause beside the code that
 * the request names comes into view.
 */
import type { Definition } from "../explore/explorer.ts";
import { parseTestName } from "../language/test_names.ts";
import type { OrientationOptions, Place } from "./neighbours.ts";
import {
  buildExploreOptions,
  buildPlace,
  describeUser,
  findUsers,
  followCalls,
  formatPlace,
  isLate,
} from "./neighbours.ts";
import { readTerms } from "./terms.ts";

/** What a first look shows. Places are `path:line` or `path:start-end`, as other tools take and print them. */
export interface Orientation {
  readonly places: readonly OrientationPlace[];
  /** Tests that use what is shown, as `path:line name`, the nearest first; a file alone where no function holds the place. */
  readonly tests: readonly string[];
  /** Names of the request that are no row of `places`: where they are defined, or that they are not. */
  readonly names?: Readonly<Record<string, string>>;
  /** Further files that the search found, best first. */
  readonly also: readonly string[];
}

/** A definition that the request is probably about, or a file without one. */
export interface OrientationPlace {
  readonly at: string;
  readonly symbol?: string;
  /** Why it is here: the request names it, or its words lead to it. */
  readonly why: "named" | "search";
  /** The lines of a short definition that the request names. */
  readonly text?: string;
  /** Places that lead to it by an import or a scope, with the function that each stands in and who uses that; only proven ones. */
  readonly usedBy?: readonly string[];
  /** Definitions that its body leads to, as `name path:line`; only proven ones. */
  readonly calls?: readonly string[];
  /** The function before it in the list, which only calls this one. */
  readonly via?: string;
}

const MOST_PLACES = 6;
const MOST_HITS = 16;
/** Hits that may become places: those behind them are named as files alone. */
const MOST_PICKED = 6;
const MOST_ALSO = 6;
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
/** Definitions of whose users the users are looked up too. */
const MOST_FOLLOWED_TWICE = 2;
/** A definition of so many lines and characters is shown whole. */
const SHORT = { lines: 12, chars: 500 } as const;
const MOST_USERS = 4;
const MOST_TESTS = 6;
const MOST_TESTS_OF_FILE = 3;
/** Each costs a look into its file. */
const MOST_TEST_USES = 12;

/** Looks at the code for a request: first what it names, then what answers it best; empty lists where nothing is found. */
export async function orient(request: string, options: OrientationOptions): Promise<Orientation> {
  const { named, names } = await findNamed(request, options);
  const all = await search(request, options);
  const hits = all.slice(0, MOST_PICKED).filter(({ share }) => share >= LEAST_SHARE);
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
    const why = index < named.length ? "named" : "search";
    if (place.symbol === undefined || index >= MOST_FOLLOWED || isLate(options)) {
      places.push(buildRow(place, why));
      continue;
    }
    const users = await findUsers(place, place.symbol, options);
    tests.push(...users.filter(isTest));
    const others = users.filter((user) => !isTest(user)).slice(0, MOST_USERS);
    const told = new Set([...picked.map(formatPlace), ...places.map(({ at }) => at)]);
    places.push(...await follow({ place, why, index, users: others, told }, options));
  }
  const near = sortByNames([...tests, ...hits.filter(isTest)], named.length > 0 ? named : picked);
  const shownTests = await nameTests(near, options);
  const told = new Set([...places.map(({ at }) => at), ...shownTests].map(findFile));
  const others = [...new Set(all.map(({ path }) => path))].filter((path) => !told.has(path));
  return {
    places,
    tests: shownTests,
    also: others.slice(0, MOST_ALSO),
    ...(Object.keys(names).length === 0 ? {} : { names }),
  };
}

/** The row of a place with its users and what it calls, and behind it the functions that it only hands on to. */
async function follow(
  { place, why, index, users, told }: {
    readonly place: Place;
    readonly why: OrientationPlace["why"];
    readonly index: number;
    readonly users: readonly TestPlace[];
    /** Places that have a row. */
    readonly told: ReadonlySet<string>;
  },
  options: OrientationOptions,
): Promise<readonly OrientationPlace[]> {
  const usedBy = index < MOST_FOLLOWED_TWICE
    ? await Promise.all(users.map((user) => describeUser(user, options)))
    : users.map(({ path, line }) => `${path}:${line}`);
  const [own, ...behind] = await followCalls(place, options);
  const text = own?.content ?? [];
  const isShort = why === "named" && index === 0 && text.length > 1 &&
    text.length <= SHORT.lines && text.join("\n").length <= SHORT.chars;
  return [
    {
      ...buildRow(place, why),
      ...(isShort ? { text: text.join("\n") } : {}),
      ...(usedBy.length === 0 ? {} : { usedBy }),
      ...(own === undefined || own.calls.length === 0 ? {} : { calls: own.calls }),
    },
    ...behind.filter((one) => !told.has(formatPlace(one.place))).map((one) => ({
      ...buildRow(one.place, why),
      via: one.via,
      ...(one.calls.length === 0 ? {} : { calls: one.calls }),
    })),
  ];
}

function buildRow(place: Place, why: OrientationPlace["why"]): OrientationPlace {
  const { symbol } = place;
  return { at: formatPlace(place), ...(symbol === undefined ? {} : { symbol }), why };
}

/** The file of a place, a test, or a file alone. */
export function findFile(at: string): string {
  return /^(.+?):\d/.exec(at)?.[1] ?? at;
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
    /^(?:test(?!s$)|it|should)/i.test(part) && !/^Test[A-Z]/.test(part)
  );
  return parts.slice(0, at < 0 ? parts.length : at + 1).join(".");
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
    if (found.length > MOST_SAME_NAMED) names[name] = `more than ${MOST_SAME_NAMED} definitions`;
    else if (found.length > 0 && named.length < MOST_PLACES) {
      named.push(...found.map(buildPlace));
    } else if (found.length > 0) {
      names[name] = found.map(({ path, line }) => `${path}:${line}`).join(", ");
    } // A word such as GitHub is no name of the code unless it is written as one.
    else if (request.includes(`\`${name}`)) names[name] = "not defined";
  }
  return { named: [...new Map(named.map((one) => [formatPlace(one), one])).values()], names };
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
  }));
}
