/**
 * The terms by which messages of commits and requests are compared: the stems of their words and of the parts of their
 * names. It depends on its arguments alone.
 */
import { toStems } from "./content_facts.ts";

const WORD = /[A-Za-z][A-Za-z0-9_]*/g;
/** Lines such as `Signed-off-by: A <a@b.c>` say who, not what. */
const TRAILER = /^[A-Za-z-]+: .*@.*$/gm;
const NUMBER = /\(?#\d+\)?/g;
const EMPTY_WORDS = new Set(
  ("a an and are as at be by can do does don for from has have if in into is it its not now of on or should so that " +
    "the then there this to use wa was when where which will with without we you").split(" "),
);

/** The terms of a text, in its order; a word that stands twice is there twice. */
export function toMessageTerms(text: string): string[] {
  const plain = text.replace(TRAILER, "").replace(NUMBER, "");
  return (plain.match(WORD) ?? []).flatMap(toStems)
    .filter((stem) => stem.length > 1 && !EMPTY_WORDS.has(stem));
}
