/** Tells of a comment whether it is code that somebody took out of use, in languages whose statements no general form tells. */
import type { Language } from "../../language/languages.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import { isSentence, toCommentText } from "./leftover_rules.ts";

/** What any sentence may be read as: text of a page, a command with its words. */
const SAYS_NOTHING = /^(?:command|text|comment|ERROR)$/;
/** What no sentence has beside a command: options, values, quotes. */
const SIGNS = /\s--?\w|[$="'|]/;

/**
 * Whether the text of a comment line is code: by the syntax tree of its language, or by its keywords where it has no grammar.
 *
 * @param heads first words of the lines of code of the file: what it calls.
 */
export async function isCommentedOut(
  line: string,
  language: Language,
  heads: ReadonlySet<string>,
): Promise<boolean> {
  const text = toCommentText(line);
  if (text === null) return false;
  if (language.words !== undefined) return isQuery(text, language.words);
  const isParsed = language.nature === "style" || language.nature === "markup" ||
    language.family === "shell";
  if (!isParsed || isSentence(text)) return false;
  using tree = await parseText(text, language.grammar === null ? "css" : language.name);
  if (tree === null || tree.root.hasError) return false;
  const [head = ""] = text.split(/\s/, 1);
  return tree.root.namedChildren.some((node) => node !== null && !SAYS_NOTHING.test(node.type)) ||
    (heads.has(head) && SIGNS.test(text));
}

/** Whether a text begins with a keyword and ends as a statement, or has keywords in capitals beside a sign or another one. */
function isQuery(text: string, names: RegExp): boolean {
  const isKeyword = (word: string) => [...word.matchAll(names)].length === 0;
  const [head = ""] = text.match(/^[A-Za-z]+/) ?? [];
  if (head === "" || !isKeyword(head)) return false;
  if (/[\w)'"]\s*;$/.test(text)) return true;
  const capitals = (text.match(/\b[A-Z]{2,}\b/g) ?? []).filter(isKeyword);
  return capitals.includes(head) && (capitals.length > 1 || /[=*(<>]/.test(text));
}
