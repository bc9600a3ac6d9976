/** Plans the searches for a question with what the active session knows of its request, and finds the paths that it names. */
import { readTerms } from "../question/terms.ts";
import type { Route } from "../question/router.ts";
import { routeQuestion } from "../question/router.ts";
import type { Services } from "../services/services_api.ts";

/** A name has at most so many words between blanks (guessed). */
const MOST_WORDS = 6;
/** Most names of one text that are looked up. */
const MOST_LOOKS = 200;
const AROUND = /^[\s`"'(\[<]+|[\s`"'()\]>.,;:!?]+$/g;
/** What a plain name consists of, which is read without a look at the disk. */
const PLAIN = /^[\w@./-]*$/;

/**
 * The paths that a text names, in the order of the text.
 *
 * @param isThere Tells whether the project has a file or folder of that path.
 */
export function readNamedPaths(
  text: string,
  isThere: (path: string) => boolean,
): readonly string[] {
  const { found, rest } = takeOddNames(text, isThere);
  const plain = withoutParts(rest, readTerms(rest).paths, isThere);
  const at = (path: string) => text.indexOf(path);
  return [...new Set([...found, ...plain])].sort((a, b) => at(a) - at(b));
}

/** The names of files that are there and are no plain ones, and the text without them. */
function takeOddNames(
  text: string,
  isThere: (path: string) => boolean,
): { readonly found: readonly string[]; readonly rest: string } {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
  const found: string[] = [];
  let rest = text;
  let looks = 0;
  for (let first = 0; first < words.length; first++) {
    for (let count = Math.min(MOST_WORDS, words.length - first); count > 0; count--) {
      const [from, to] = [words[first]?.start ?? 0, words[first + count - 1]?.end ?? 0];
      const name = text.slice(from, to).replaceAll(AROUND, "");
      const isOdd = !PLAIN.test(name) && /[/.]/.test(name) && !name.includes("..");
      if (!isOdd || looks++ >= MOST_LOOKS || !isThere(name)) continue;
      found.push(name);
      rest = rest.slice(0, from) + rest.slice(from, to).replaceAll(/\S/g, " ") + rest.slice(to);
      first += count - 1;
      break;
    }
  }
  return { found, rest };
}

const ENDING = /[^/]\.\w+$/;
/** Most characters between the two parts of one name (guessed). */
const MOST_BETWEEN = 40;

/**
 * The paths without those that are likely parts of a longer name, whose end nobody knows while the file is not there:
 * such as have letters of another script beside them, and a new name without an ending with the next one behind it.
 */
function withoutParts(
  text: string,
  paths: readonly string[],
  isThere: (path: string) => boolean,
): readonly string[] {
  const isLatin = (letter: string) => /^\p{Script=Latin}$/u.test(letter);
  const isPart = (path: string) => {
    const at = text.indexOf(path);
    const [before, after] = [text.slice(0, at), text.slice(at + path.length)];
    return isLatin([...before].at(-1) ?? "") || isLatin([...after][0] ?? "");
  };
  const isOpen = (path: string) => !ENDING.test(path) && !isThere(path);
  return paths.filter((path, at) => {
    const previous = paths[at - 1] ?? "";
    const gap = text.indexOf(path) - text.indexOf(previous) - previous.length;
    const isRest = at > 0 && isOpen(previous) && gap <= MOST_BETWEEN && !isThere(path);
    return !isPart(path) && !isOpen(path) && !isRest;
  });
}

/** A question, and what the caller says about it beside its words. */
export interface SessionQuestion {
  readonly question: string;
  readonly intent?: string;
  readonly symbol?: string;
  readonly filePath?: string;
}

/** A plan, and what helps to rank what it finds. */
export interface SessionRoute {
  readonly route: Route;
  /** The slot `target_feature` of the session's frame, which helps a question that says little. */
  readonly sessionTarget: string | undefined;
}

/** Plans a question; the intent is the session's where the caller gives none. */
export async function routeInSession(
  sessions: Services["sessions"],
  { question, intent: given, symbol, filePath }: SessionQuestion,
): Promise<SessionRoute> {
  const active = await sessions.findActive();
  const state = active?.kind === "loaded" ? active.checkpoint.state : null;
  const intent = given ?? state?.intent;
  const route = routeQuestion({
    question,
    slots: state?.frame?.slots ?? null,
    targetSymbols: state?.frame?.targetSymbols ?? [],
    ...(intent === undefined ? {} : { intent }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(filePath === undefined ? {} : { filePath }),
  });
  return { route, sessionTarget: state?.frame?.slots.target_feature?.value };
}

/** The longest text that a search ranks by, as of `semantic_search`. */
const MAX_RANKED_CHARS = 1_000;

/** The question in the form that a search takes: one line of bounded length. */
export function joinLines(question: string): string {
  return question.replaceAll(/\s+/g, " ").trim().slice(0, MAX_RANKED_CHARS);
}
