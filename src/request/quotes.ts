/** Are the quotes of a query frame really in the request? Pure. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";

/** A slot as the agent sent it. */
export interface SentSlot {
  readonly value: string;
  readonly quote: string;
}

/** A slot whose quote was found, with the exact words of the request as proof. */
export interface ProvenSlot extends SentSlot {
  /** HYPOTHESIS when the value does not follow from the quote. */
  readonly source: "FACT" | "HYPOTHESIS";
}

/** All slots, and a problem for each whose quote is not in the request. */
export interface FrameCheck {
  readonly slots: Readonly<Record<string, ProvenSlot | null>>;
  readonly problems: readonly Problem[];
}

/** Checks every slot of a frame against the request. */
export function checkSlots(
  request: string,
  slots: Readonly<Record<string, SentSlot | null | undefined>>,
): FrameCheck {
  const problems: Problem[] = [];
  const proven: Record<string, ProvenSlot | null> = {};
  for (const [name, slot] of Object.entries(slots)) {
    if (slot === null || slot === undefined) {
      proven[name] = null;
      continue;
    }
    const proof = findQuote(request, slot.quote);
    if (proof === null) {
      problems.push(toProblem("quote_not_found", `${name}: the request does not say this`, {
        at: `data.slots.${name}.quote`,
        hint: "Copy the words of the request exactly, or send null for what it does not say.",
      }));
      continue;
    }
    const source = fits(slot.value, proof) ? "FACT" : "HYPOTHESIS";
    proven[name] = { value: slot.value, quote: proof, source };
  }
  return { slots: proven, problems };
}

/**
 * The exact words of `request` that equal `quote` once both are in form NFKC with white space folded.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { findQuote } from "./quotes.ts";
 * equal(findQuote("Add a  login\nform", "login form"), "login\nform");
 * equal(findQuote("Add a form", "login"), null);
 * ```
 */
export function findQuote(request: string, quote: string): string | null {
  const wanted = fold(quote).text.trim();
  if (wanted === "") return null;
  const folded = fold(request);
  const start = folded.text.indexOf(wanted);
  if (start < 0) return null;
  const from = folded.origin[start] ?? 0;
  // One character of the request can fold to several: a quote of some of them is proven by it whole.
  const last = folded.origin[start + wanted.length - 1] ?? from;
  const to = folded.origin.slice(start + wanted.length).find((at) => at > last) ?? request.length;
  return request.slice(from, to).trim();
}

/**
 * What must be composed together: a base character and its marks, of which the half-width sound marks
 * of kana are letters to Unicode, and the letters of a decomposed Hangul syllable.
 */
const CLUSTER =
  /[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|[\uAC00-\uD7A3][\u11A8-\u11FF]|\P{M}[\p{M}\uFF9E\uFF9F]*|\p{M}+/gu;

/** Text in comparable form, with the place of each character in the original. */
function fold(text: string): { readonly text: string; readonly origin: readonly number[] } {
  let folded = "";
  const origin: number[] = [];
  let index = 0;
  for (const cluster of text.match(CLUSTER) ?? []) {
    const normal = cluster.normalize("NFKC").replaceAll(/\s+/g, " ");
    for (const character of normal) {
      if (character === " " && folded.endsWith(" ")) continue;
      for (let unit = 0; unit < character.length; unit++) origin.push(index);
      folded += character;
    }
    index += cluster.length;
  }
  return { text: folded, origin };
}

const PARTICLES = new Set("のをにはがでとも");

/** Whether a value plausibly follows from its quote: containment, a shared word, or shared characters. */
function fits(value: string, quote: string): boolean {
  const [left, right] = [value, quote].map((text) => fold(text).text.toLowerCase().trim());
  if (left === undefined || right === undefined) return false;
  if (left.includes(right) || right.includes(left)) return true;
  const words = new Set(left.split(/\s+/));
  if (right.split(/\s+/).some((word) => words.has(word))) return true;
  const [a, b] = [left, right].map((text) =>
    new Set([...text].filter((character) => character.trim() !== "" && !PARTICLES.has(character)))
  );
  if (a === undefined || b === undefined) return false;
  const shared = [...a].filter((character) => b.has(character)).length;
  return shared >= Math.min(a.size, b.size) / 2 && shared > 1;
}
