/** The neighbours of a definition, one hop or two away: who uses it, and what it calls. */
import type { Definition, Explorer, Reference } from "../explore/explorer.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import { languageByName } from "../language/languages.ts";
import { maskText } from "../language/mask.ts";
import { parseTestName } from "../language/test_names.ts";

const MOST_CALLS = 6;
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
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly symbol?: string;
}

/** Whether no neighbours are looked up any more. */
export function isLate({ endsAt = Infinity }: OrientationOptions): boolean {
  return performance.now() >= endsAt;
}

/** The place of a definition. */
export function buildPlace({ path, line, endLine = line, name, scope }: Definition): Place {
  return { path, line, endLine, symbol: scope === undefined ? name : `${scope}.${name}` };
}

/** A place as other tools take and print it. */
export function formatPlace({ path, line, endLine }: Place): string {
  return endLine <= line ? `${path}:${line}` : `${path}:${line}-${endLine}`;
}

/** What every question of a look passes on. */
export function buildExploreOptions(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}

/** Uses of a definition that lead to it for certain, but imports. */
export async function findUsers(
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

/** Users of a user that are named. */
const MOST_FURTHER = 2;

/** A use as `path:line in function, used at path:line`: one call further, where a value that changes may be used. */
export async function describeUser(
  { path, line }: Pick<Reference, "path" | "line">,
  options: OrientationOptions,
): Promise<string> {
  const at = `${path}:${line}`;
  const { explorer, signal } = options;
  if (isLate(options)) return at;
  const found = await explorer.getFunctionAtLine(
    { path, line, contextLines: 0 },
    buildExploreOptions(signal),
  );
  if (found.kind === "refused" || found.definition === undefined) return at;
  const place = buildPlace(found.definition);
  const { symbol = "" } = place;
  const users = await findUsers(place, symbol, options);
  const further = users.filter((user) => parseTestName(user.path) === null)
    .slice(0, MOST_FURTHER).map((user) => `${user.path}:${user.line}`);
  return `${at} in ${symbol}${further.length === 0 ? "" : `, used at ${further.join(", ")}`}`;
}

/** A function with what it calls. */
export interface Calling {
  readonly place: Place;
  /** Definitions that its body leads to, as `name path:line`, in the order of the body. */
  readonly calls: readonly string[];
  /** The function that only calls it; empty for the first. */
  readonly via: string;
  /** Its lines. */
  readonly content: readonly string[];
}

/** What a definition calls; where it only hands on to another function, that one with its calls, and so on. */
export async function followCalls(
  start: Place,
  options: OrientationOptions,
): Promise<readonly Calling[]> {
  const chain: Calling[] = [];
  let next: Pick<Place, "path" | "line"> | null = start;
  let via = "";
  while (next !== null && chain.length <= MOST_HOPS) {
    const body = await readBody(next, options);
    if (body === null) break;
    const { place, calls, wraps, content } = body;
    if (chain.some((one) => formatPlace(one.place) === formatPlace(place))) break;
    // The function that is handed on to follows as a row of its own.
    chain.push({ place, calls, via, content });
    next = wraps;
    via = place.symbol ?? "";
  }
  return chain;
}

interface Body extends Omit<Calling, "via"> {
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
  return {
    place,
    calls,
    content,
    wraps: file === undefined ? null : { path: file, line: Number(at) },
  };
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
