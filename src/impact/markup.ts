/**
 * Cross references between pages, sheets and scripts: classes, ids, custom elements and views. They are
 * matches of names by nature, so that nothing here is ever certain.
 */
import type { TextSearchContext } from "../backends/live_context.ts";
import { runText } from "../backends/live_context.ts";
import type { SymbolHit } from "../index/read/view.ts";

/** A place in another file that names an identifier of the markup. */
export interface CrossReference {
  readonly file: string;
  readonly line: number;
  readonly identifier: string;
  readonly type: "class" | "id" | "element" | "property" | "name";
}

/** Cross references by what kind of file has them. */
export interface CrossReferences {
  readonly htmlFiles: readonly CrossReference[];
  readonly cssFiles: readonly CrossReference[];
  readonly jsFiles: readonly CrossReference[];
}

/** Files that are markup alone: a change of them changes no behaviour that code depends on. */
const PURE = /\.(?:html?|xhtml|css|s[ac]ss|less|md|markdown|xml|svg)$/i;
/** Markup with code in it. */
const MIXED = /\.(?:blade\.php|vue|svelte|jsx|tsx|twig|ejs|erb|pug|hbs|astro|phtml)$/i;
const SHEET = /\.(?:css|s[ac]ss|less)$/i;
const PAGE =
  /\.(?:html?|xhtml|blade\.php|vue|svelte|jsx|tsx|twig|ejs|erb|pug|hbs|astro|phtml|php)$/i;
const SCRIPT = /\.(?:[mc]?[jt]s)$/i;
const MAX_IDENTIFIERS = 10;
const MAX_PAGE_CLASSES = 200;
const MAX_FILES = 10;
const MAX_MATCHES = 1_000;
const MAX_SIDE = 20;

/** Whether all targets are markup alone, so that nothing must be verified. */
export function isPureMarkup(targets: readonly string[]): boolean {
  return targets.length > 0 && targets.every((path) => PURE.test(path) && !MIXED.test(path));
}

/** Whether a target can have classes and ids that others name. */
export function isMarkup(path: string): boolean {
  return PURE.test(path) || MIXED.test(path);
}

/** An identifier of markup by its name alone. */
export interface Identifier {
  readonly name: string;
  readonly type: CrossReference["type"];
}

const KINDS: Readonly<Record<string, CrossReference["type"]>> = {
  class: "class",
  id: "id",
  component: "element",
  element: "element",
  property: "property",
};

/** Languages whose classes and ids are those of pages. */
const LANGUAGES = new Set(["CSS", "SCSS", "HTML", "Blade", "Vue", "Svelte"]);

/**
 * The identifiers to look for: those that the description names, else those of the files. Names that a file only mentions
 * are looked for as far as there is room beside those that it defines.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { chooseIdentifiers } from "./markup.ts";
 * deepEqual(chooseIdentifiers("Rename .btn-primary and #main", []).map(({ name }) => name), ["btn-primary", "main"]);
 * ```
 */
export function chooseIdentifiers(
  description: string,
  symbols: readonly SymbolHit[],
  mentioned: readonly Identifier[] = [],
): readonly Identifier[] {
  const defined = symbols.flatMap(({ name, kind, language }): Identifier[] => {
    const type = KINDS[kind];
    return type === undefined || !LANGUAGES.has(language ?? "")
      ? []
      : [{ name: name.replace(/^[.#]/, ""), type }];
  });
  const own = [...defined, ...mentioned];
  const written = [...description.matchAll(/(?<![\w.])([.#])([A-Za-z_][\w-]*)/g)]
    .map(([, sign, name = ""]): Identifier => ({ name, type: sign === "." ? "class" : "id" }))
    // A path such as src/app.css has dots too.
    .filter(({ name }) => !/^(?:css|scss|html?|jsx?|tsx?|md|vue|php)$/.test(name));
  const named = own.filter(({ name }) => hasWord(description, name));
  const found = written.length + named.length > 0 ? [...written, ...named] : own;
  const seen = new Set<string>();
  const most = MAX_IDENTIFIERS + mentioned.length;
  return found.filter(({ name }) => name.length > 1 && !seen.has(name) && seen.add(name) !== null)
    .slice(0, most);
}

/** Values of `class` and `className` that stand in quotes. */
const CLASSES = /(?<![\w:-])class(?:Name)?\s*=\s*(?:\{\s*)?(?:"([^"]*)"|'([^']*)'|`([^`]*)`)/g;
/** Expressions of templates inside of such a value. */
const EXPRESSIONS = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|<%[\s\S]*?%>|\$\{[^}]*\}|\{[^}]*\}/g;

/**
 * The classes that the text of a page puts on its elements, each once. A page names classes and defines none, so that the
 * index has no symbol of them.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parsePageClasses } from "./markup.ts";
 * deepEqual(parsePageClasses('<p class="note {{ kind }}">').map(({ name }) => name), ["note"]);
 * ```
 */
export function parsePageClasses(text: string): readonly Identifier[] {
  const names = new Set<string>();
  for (const [, double, single, back] of text.matchAll(CLASSES)) {
    const value = (double ?? single ?? back ?? "").replaceAll(EXPRESSIONS, " ");
    for (const name of value.split(/\s+/)) if (/^-?[A-Za-z_][\w-]*$/.test(name)) names.add(name);
    if (names.size > MAX_PAGE_CLASSES) break;
  }
  return [...names].slice(0, MAX_PAGE_CLASSES).map((name) => ({ name, type: "class" }));
}

/** Whether the text of a target can put classes on elements. */
export function isPage(path: string): boolean {
  return PAGE.test(path);
}

/** Looks for identifiers in the kinds of files that the targets are not. */
export async function findCrossReferences(
  context: TextSearchContext,
  input: {
    readonly targets: readonly string[];
    readonly files: readonly string[];
    readonly identifiers: readonly Identifier[];
    readonly signal?: AbortSignal;
  },
): Promise<CrossReferences> {
  const { targets, identifiers, signal } = input;
  const none = { htmlFiles: [], cssFiles: [], jsFiles: [] };
  const files = input.files.filter((path) =>
    !targets.includes(path) && (SHEET.test(path) || PAGE.test(path) || SCRIPT.test(path))
  );
  if (identifiers.length === 0 || files.length === 0) return none;
  const query = {
    patterns: identifiers.map(({ name }) => name),
    fixed: true,
    caseSensitive: true,
    wholeWord: false,
    contextLines: 0,
  };
  const scope = { files, offset: 0, maxResults: MAX_MATCHES };
  const { result } = await runText(
    context,
    query,
    signal === undefined ? scope : { ...scope, signal },
  );
  if (result.kind === "refused") return none;
  const found = result.matches.flatMap(({ path, line, text }) =>
    identifiers.filter((one) => isMention(text, one, path)).map((one): CrossReference => ({
      file: path,
      line,
      identifier: one.name,
      type: one.type,
    }))
  );
  const take = (test: (path: string) => boolean) =>
    firstFiles(found.filter(({ file }) => test(file)));
  return {
    htmlFiles: take((path) => PAGE.test(path)),
    cssFiles: take((path) => SHEET.test(path)),
    jsFiles: take((path) => SCRIPT.test(path)),
  };
}

/** Each identifier once a file, of the first files alone. */
function firstFiles(all: readonly CrossReference[]): readonly CrossReference[] {
  const files = [...new Set(all.map(({ file }) => file))].slice(0, MAX_FILES);
  const seen = new Set<string>();
  return all.filter(({ file, identifier }) => {
    const key = `${file}\0${identifier}`;
    if (!files.includes(file) || seen.has(key)) return false;
    seen.add(key);
    return true;
  }).slice(0, MAX_SIDE);
}

/** In a sheet an identifier has its sign; in a script it stands in a string. */
function isMention(line: string, { name, type }: Identifier, path: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
  const sign = type === "class" ? "\\." : type === "id" ? "#" : "";
  if (SHEET.test(path)) return new RegExp(`${sign}${escaped}(?![\\w-])`).test(line);
  if (SCRIPT.test(path)) {
    const isNamed = new RegExp(`["'\`][^"'\`]*(?<![\\w-])${escaped}(?![\\w-])`).test(line);
    // A class is often a plain word, such as "note": it counts in a selector, or beside the word "class".
    return isNamed && (type !== "class" || line.includes(`.${name}`) || /class/i.test(line));
  }
  return hasWord(line, name);
}

function hasWord(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}
