/** A text as a person reads it, where no reply is rendered: how commands are named is read only on demand. */
import type { Words } from "../base/text/words.ts";
import { Phrase } from "../base/text/words.ts";

/** The words for a person outside the answer of a tool. */
export async function renderForUser(words: Words): Promise<string> {
  if (!(words instanceof Phrase)) return words;
  return words.toWords((await import("./user_reader.ts")).createUserReader(null));
}
