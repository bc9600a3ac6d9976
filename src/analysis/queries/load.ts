/** Loads the rules of a grammar from the file of this folder that has them. */
import { getOrInsert } from "../../base/once.ts";
import type { LanguageQuery } from "./language_query.ts";

/**
 * The text with the lines of conditions (`#if`, `#endif`) and all branches but the first blanked out; every place is
 * kept. What is left is what one compilation would see, so that declarations cut by conditions fit together.
 */
export function keepFirstBranch(text: string): string {
  /** For each open condition, whether its present branch is left out. */
  const dropped: boolean[] = [];
  return text.split("\n").map((line) => {
    const word = /^\s*#\s*(if|elif|elseif|else|endif)\b/.exec(line)?.[1];
    if (word === undefined) return dropped.includes(true) ? blank(line) : line;
    if (word === "if") dropped.push(false);
    else if (word === "endif") dropped.pop();
    else dropped[dropped.length - 1] = true;
    return blank(line);
  }).join("\n");
}

function blank(line: string): string {
  return line.replace(/[^\r]/g, " ");
}

/** The files that hold the rules of several grammars. Any other grammar has a file of its own name. */
const SHARED: Readonly<Record<string, string>> = {
  ...{ c: "c_family", cpp: "c_family" },
  ...{ javascript: "script", typescript: "script", tsx: "script" },
  ...{ html: "pages", css: "pages", vue: "pages", svelte: "pages" },
  ...{ json: "data", yaml: "data", toml: "data", hcl: "data", markdown: "data" },
};

const loaded = new Map<string, Promise<LanguageQuery>>();

/**
 * The rules of a grammar of `wasm/`, loaded once: the constant that has the name of the grammar.
 *
 * @throws when the folder has no file for it, which a test excludes.
 */
export function loadLanguageQuery(grammar: string): Promise<LanguageQuery> {
  return getOrInsert(loaded, grammar, async () => {
    const file = SHARED[grammar] ?? grammar;
    const rules: Record<string, LanguageQuery> = await import(`./${file}.ts`);
    return rules[grammar.toUpperCase()] as LanguageQuery;
  });
}
