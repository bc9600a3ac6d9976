/**
 * What the project's documents say of a request: the lines in which most of its rarer words meet.
 * So nobody has to search for them before reading a rule.
 */
import { escapePattern } from "../base/text/plain_text.ts";
import { clipLine } from "../base/text/clip.ts";
import { DOCUMENT_GLOB, isDocument } from "../base/text/document_files.ts";
import type { Explorer, TextMatch } from "../explore/explorer.ts";
import { readTerms } from "./terms.ts";

/** Lines of documents as `path:line text`, the most telling first; empty where none speaks of the request. */
export interface DocumentFindings {
  readonly lines: readonly string[];
  /** Names of the request that no document has. */
  readonly unnamed: readonly string[];
  /** Documents that say how work on the project is done, whatever the request. */
  readonly guides: readonly string[];
}

/** What is looked at with. */
export interface DocumentSearchOptions {
  readonly explorer: Pick<Explorer, "searchText" | "searchFiles">;
  readonly signal: AbortSignal;
  /** Folders and files, relative to the project, of which alone lines are shown; default all. */
  readonly within?: readonly string[] | null;
}

const MOST_LINES = 4;
const MOST_LINES_OF_FILE = 1;
const LINE_CHARS = 100;
/** A line of less than this share of the best one's weight says little (guessed). */
const LEAST_SHARE = 0.5;
/** Documents that may have a word which still tells them from others, and the share of all (guessed). */
const RARE_DOCUMENTS = 2;
const RARE_SHARE = 0.1;
const LINES_READ = 1_000;
/** What tells of work that is over says little of work to come. */
const CHANGELOG =
  /(?:^|\/)(?:changes?|change[-_]?log|history|news|release[-_]?notes|releases?)\.\w+$/i;
const GUIDE =
  /(?:^|\/)(?:contributing|hacking|development|developing|developers?(?:[-_]?guide)?|(?:code|coding)?[-_]?(?:style|standards|guidelines|conventions)(?:[-_]?guide)?|pull_request_template)\.\w+$/i;
const MOST_GUIDES = 4;
/** Endings that the forms of a word differ in; what is left of a word finds all of them. */
const INFLECTION = /(?:ing|ed|es|e|s)$/;
const STEM_CHARS = 4;

/** Looks for the words of a request in the documents; null where that cannot be done. */
export async function searchDocuments(
  request: string,
  { explorer, signal, within = null }: DocumentSearchOptions,
): Promise<DocumentFindings | null> {
  const { symbols, quoted, words } = readTerms(request);
  const names = [...new Set([...symbols, ...quoted])];
  const terms = new Map([...names, ...words].map((word) => [stemWord(word), word]));
  const { guides, total } = await findGuides(explorer, signal);
  if (terms.size === 0) return { lines: [], unnamed: [], guides };
  const found = await explorer.searchText({
    patterns: [
      [...terms.keys()].map(escapePattern).join("|"),
    ],
    caseSensitive: false,
    fixed: false,
    wholeWord: false,
    contextLines: 0,
    globs: [DOCUMENT_GLOB],
    maxResults: LINES_READ,
    offset: 0,
    includeHidden: false,
    includeIgnored: false,
  }, { signal });
  if (found.kind === "refused") return null;
  const isWanted = (path: string) =>
    isDocument(path) && !CHANGELOG.test(path) &&
    (within === null || within.some((folder) => isBelow(path, folder)));
  const matches = found.matches.filter(({ path }) => isWanted(path))
    .map((match) => ({ match, has: keepMetTerms(match.text, [...terms.keys()]) }));
  return {
    guides,
    lines: pickLines(matches, { names: names.map(stemWord), terms: terms.size, documents: total }),
    unnamed: found.total > LINES_READ
      ? []
      : names.filter((name) => !matches.some(({ has }) => has.includes(stemWord(name)))),
  };
}

function isBelow(path: string, folder: string): boolean {
  return folder === "." || path === folder || path.startsWith(`${folder}/`);
}

/**
 * The guides of the project, the nearest to its root first; hidden folders hold some.
 *
 * @returns with `total`, how many documents there are.
 */
async function findGuides(
  explorer: DocumentSearchOptions["explorer"],
  signal: AbortSignal,
): Promise<{ readonly guides: readonly string[]; readonly total: number }> {
  const found = await explorer.searchFiles({
    pattern: DOCUMENT_GLOB,
    maxResults: LINES_READ,
    offset: 0,
    includeHidden: true,
    includeIgnored: false,
  }, { signal });
  if (found.kind === "refused") return { guides: [], total: 0 };
  const depth = (path: string) => path.split("/").length;
  const guides = found.files.filter((path) => GUIDE.test(path))
    .sort((a, b) => depth(a) - depth(b)).slice(0, MOST_GUIDES);
  return { guides, total: found.files.filter(isDocument).length };
}

interface Match {
  readonly match: TextMatch;
  /** Terms that stand in the line. */
  readonly has: readonly string[];
}

function keepMetTerms(text: string, stems: readonly string[]): readonly string[] {
  return stems.filter((stem) => beginsWord(text, stem));
}

/** Whether a word of the text, or a part of a name, begins so; in scripts without blanks a word may begin anywhere. */
function beginsWord(text: string, stem: string): boolean {
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(stem);
  const plain = text.toLowerCase();
  for (let at = plain.indexOf(stem); at >= 0; at = plain.indexOf(stem, at + 1)) {
    const joint = at === 0 ? "" : text.slice(at - 1, at + 1);
    if (!isSpaced || !/^[\p{L}\p{N}]/u.test(joint) || /^\P{Lu}\p{Lu}/u.test(joint)) return true;
  }
  return false;
}

/** A word without what its forms differ in, in lower case. */
function stemWord(word: string): string {
  const plain = word.toLowerCase();
  const stem = plain.replace(INFLECTION, "");
  return stem.length < STEM_CHARS ? plain : stem;
}

/**
 * The lines with the most weight: a term counts for the less the more documents have it. One word that is no name tells
 * nothing where the request has several, and neither do words that many documents have.
 */
function pickLines(
  matches: readonly Match[],
  { names, terms, documents }: {
    readonly names: readonly string[];
    readonly terms: number;
    readonly documents: number;
  },
): readonly string[] {
  const documentCount = new Set(matches.map(({ match }) => match.path)).size;
  const files = new Map<string, Set<string>>();
  for (const { match, has } of matches) {
    for (const term of has) files.set(term, (files.get(term) ?? new Set()).add(match.path));
  }
  const weigh = ({ has }: Match) =>
    has.reduce((sum, term) => sum + Math.log(1 + documentCount / (files.get(term)?.size ?? 1)), 0);
  const most = Math.max(RARE_DOCUMENTS, RARE_SHARE * documents);
  const isNamed = ({ has }: Match) => has.some((term) => names.includes(term));
  // Where documents have the names of the request, its other words say less beside them.
  const least = Math.min(matches.some(isNamed) ? 3 : 2, terms);
  const isTelling = ({ match, has }: Match) =>
    isNamed({ match, has }) ||
    has.length >= least && has.some((term) => (files.get(term)?.size ?? 0) <= most);
  const weighed = matches.filter(isTelling).map((one) => ({ ...one, weight: weigh(one) }))
    .sort((a, b) => b.weight - a.weight);
  const best = weighed[0]?.weight ?? 0;
  const perFile = new Map<string, number>();
  const lines: string[] = [];
  for (const { match: { path, line, text }, weight } of weighed) {
    const count = perFile.get(path) ?? 0;
    if (lines.length === MOST_LINES || weight < best * LEAST_SHARE) break;
    if (count === MOST_LINES_OF_FILE) continue;
    perFile.set(path, count + 1);
    lines.push(`${path}:${line} ${clipLine(text.trim(), LINE_CHARS)}`);
  }
  return lines;
}
