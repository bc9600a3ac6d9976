/** Finds the title of a piece of work in the words of its request. Pure. */
import { clip } from "./clip.ts";
import { splitSentences } from "./sentences.ts";

/** Longest title that tools show whole. */
export const TITLE_CHARS = 72;

/** What a clause of a sentence begins with, so that the words before it are a sentence of their own. */
const CLAUSE =
  /[,;:(]\s|\s[-–—]\s|\s(?:so that|because|since|when|while|if|unless|until|which|where|and|but|then|as|instead of)\s/gi;
/** Fewer words than this say nothing. */
const LEAST_WORDS = 3;

/** A sentence that begins so says how things are, or asks, instead of what is done; a plural or a noun with `of` is no verb. */
const NO_ORDER =
  /^(?:\w+[^s\W]s\s|\S+\s(?:of|for)\s)|^(?:the|an?|there|it|its|this|that|these|those|when|while|if|as|after|before|since|because|i|we|you|my|our|your|why|what|how|where|which|who|is|are|do|does|did|can|could|should|would|please|currently|today|now|in|on|for|with|from|at|by|no|not|some|all|every|each|\w+ing)\b|^\S+\s(?:is|are|was|were|does|do|has|have|had|should|must|can|cannot|could|may|might|will|would|needs?|fails?|returns?|raises?|throws?|gives?|takes|accepts?|shows|crashes|breaks)\b/i;

/** What a sentence behind the first says of it, or beside the work itself: no subject. */
const BESIDE =
  /\b(?:it|its|them|they|this|that|these|those)\b|^\w+\s+(?:(?:the|a|new|some|more)\s+)*(?:tests?|docs?|documentation|changelog|type\s+hints?)\b|^(?:keep|leave|do|run)\b/i;

/** A sentence that says what shall stay as it is. */
const CONSTRAINT =
  /\b(?:must|shall|should|may|can|do|does|did)\s*n[o']t\b|\b(?:must|shall|should)\s+(?:never|still|stay|remain|keep)\b|\bunchanged\b|^(?:never|without)\b/i;

/**
 * A whole sentence without its full stop that says what is done: the first of the request that does where it is short, else
 * a task, else the first clauses of that sentence; null where none of these is one.
 *
 * @param tasks What was done, in words.
 */
export function chooseTitle(query: string, tasks: readonly string[]): string | null {
  const sentences = splitSentences(query);
  const isOrder = (text: string, at: number) =>
    !NO_ORDER.test(text) && !CONSTRAINT.test(text) &&
    (at === 0 || text.split(" ").length >= LEAST_WORDS && !BESIDE.test(text));
  const first = sentences.find(isOrder) ?? "";
  const [task, ...others] = tasks;
  const candidates = [
    first,
    ...(task === undefined || others.length > 0 ? [] : [task]),
    ...[...first.matchAll(CLAUSE)].map(({ index }) => first.slice(0, index)).reverse(),
  ].map((text) => text.replaceAll(/\s+/g, " ").trim().replace(/[.!?,;:]+$/, ""))
    .map(trimEnd)
    .filter((text) => text !== "" && !NO_ORDER.test(text) && isBalanced(text));
  const isWhole = (text: string) =>
    text.length <= TITLE_CHARS &&
    (text === candidates[0] || text.split(" ").length >= LEAST_WORDS);
  const [best] = candidates;
  return candidates.find(isWhole) ?? (best === undefined ? null : clipToWords(best));
}

/** Whether no code span and no bracket is open at the end. */
function isBalanced(text: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1;
  return count("`") % 2 === 0 && count("(") === count(")");
}

/** The clauses that fit, else the words; a small word at the end would wait for what is left out. */
function clipToWords(text: string): string {
  const kept = text.slice(0, TITLE_CHARS + 1).replace(/\s\S*$/, "");
  if (kept.length > TITLE_CHARS) return clip(text, TITLE_CHARS);
  const clause = kept.replace(/[,;:](?!.*[,;:]).*$/, "");
  const best = clause.split(" ").length > LEAST_WORDS ? clause : kept;
  return trimEnd(isBalanced(best) ? best : best.replace(/\s*[`(][^`()]*$/, ""));
}

/** Without small words at the end, which wait for what is left out. */
function trimEnd(text: string): string {
  const small = /(?:,?\s(?:an?|the|of|to|in|on|at|by|for|from|with|that|its?|and|or|as|well))+$/i;
  return text.replace(small, "");
}
