/**
 * A normal form of code. Two versions share it when they differ only in layout, or only in what has
 * no effect. The form is made of the syntax tree, so that what a blank or a line break means in the
 * language is kept.
 */
import { languageByName } from "../language/languages.ts";
import type { NodePart } from "./effectless.ts";
import {
  chooseValue,
  dropNeutral,
  dropUnreached,
  findLocalNames,
  isIdleStatement,
  orderOperands,
  unwrapBlock,
} from "./effectless.ts";
import type { SyntaxNode } from "./tree_sitter.ts";
import { parseText } from "./tree_sitter.ts";

/**
 * What two versions may differ in. `layout`: white space, line breaks, quotes, brackets that change nothing, trailing commas,
 * the order of imports: what a formatter changes. `effectless`: these, comments, names of local
 * variables, and operands of `==` and the like in another order. Also statements without an effect
 * (`x = x`, `if True:`, `pass`).
 */
export type IgnoredDifferences = "layout" | "effectless";

/**
 * Whether two versions of a text differ only in what is ignored.
 *
 * @param language a name or an alias of `LANGUAGES`.
 * @returns null when that is not known: the language has no grammar, a version is no valid text of it, or takes too long.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { isSameCode } from "./normal_form.ts";
 * equal(await isSameCode("f( 'a' )", 'f("a")', { language: "Python", ignoring: "layout" }), true);
 * equal(await isSameCode("f(1)", "f(2)", { language: "Python", ignoring: "effectless" }), false);
 * ```
 */
export async function isSameCode(
  before: string,
  after: string,
  { language, ignoring }: { readonly language: string; readonly ignoring: IgnoredDifferences },
): Promise<boolean | null> {
  if (before === after) return true;
  const first = await normaliseCode(before, language, ignoring);
  return first === null ? null : await compare(first, normaliseCode(after, language, ignoring));
}

async function compare(first: string, second: Promise<string | null>): Promise<boolean | null> {
  const other = await second;
  return other === null ? null : first === other;
}

/** The form itself; null as for {@link isSameCode}. */
export async function normaliseCode(
  text: string,
  language: string,
  ignoring: IgnoredDifferences,
): Promise<string | null> {
  using tree = await parseText(text, language);
  if (tree === null || tree.root.hasError) return null;
  const row = languageByName(language);
  const { functions = [], lambdas = [] } = row?.bodies ?? {};
  const form = new NormalForm({
    isScript: /^(?:javascript|typescript|tsx)$/.test(row?.grammar ?? ""),
    isPython: row?.grammar === "python",
    isEffectless: ignoring === "effectless",
    functions: new Set([...functions, ...lambdas]),
  });
  return form.write(tree.root);
}

interface FormOptions {
  readonly isScript: boolean;
  readonly isPython: boolean;
  readonly isEffectless: boolean;
  /** Types of nodes of functions. */
  readonly functions: ReadonlySet<string>;
}

const MAX_DEPTH = 400;
const STRING = /string|char|template|heredoc|regex|quoted|rune|jsx_text/;
const INSIDE_STRING = /interpolation|substitution/;
const BRACKETED = /^parenthesi[sz]ed_(?:expression|pattern|type)$/;
const IMPORT =
  /^(?:import(?:_statement|_declaration|_from_statement|_header|_spec)?|use_declaration|using_directive)$/;
/** Comments that programs obey. */
const DIRECTIVE = new RegExp(
  "^(?:\\/\\/|#|\\/\\*|--)!?\\s*(?:go:|\\+build|eslint|@ts-|@flow|tslint|noqa|type:|pragma|pylint|nolint|" +
    "noinspection|coding[:=]|-\\*-|shellcheck|prettier|fmt:|biome|deno-|istanbul|c8|v8|@jsx|rubocop|" +
    "frozen_string|mypy|pyright|ruff|isort|swiftlint|clang-format|NOLINT)",
);

class NormalForm {
  readonly #options: FormOptions;
  /** Names of local variables of the outermost function, each with the number under which it is written. */
  #locals: Map<string, number | null> | null = null;
  /** Text of that function. */
  #holder: string | null = null;
  #depth = 0;

  constructor(options: FormOptions) {
    this.#options = options;
  }

  write(node: SyntaxNode, isInString = false): string {
    if (++this.#depth > MAX_DEPTH) return this.#leave(node.text);
    const opensFunction = this.#options.isEffectless && this.#locals === null &&
      this.#options.functions.has(node.type);
    if (opensFunction) {
      this.#locals = new Map(findLocalNames(node).map((name) => [name, null]));
      this.#holder = node.text;
    }
    const written = node.childCount === 0
      ? this.#writeLeaf(node, isInString)
      : this.#writeInner(node, isInString);
    if (opensFunction) [this.#locals, this.#holder] = [null, null];
    return this.#leave(written);
  }

  #leave(written: string): string {
    this.#depth--;
    return written;
  }

  #writeLeaf(node: SyntaxNode, isInString: boolean): string {
    const { text, type } = node;
    if (isInString && !STRING.test(type) && node.isNamed) return text;
    const known = /identifier$/.test(type) && !/property|field|type/.test(type)
      ? this.#locals?.get(text)
      : undefined;
    if (known === undefined || isLabel(node)) return this.#unifyQuotes(node, text);
    if (known !== null) return `$${known}`;
    const number = [...this.#locals?.values() ?? []].filter((one) => one !== null).length;
    this.#locals?.set(text, number);
    return `$${number}`;
  }

  /** The two kinds of quotes mean the same in scripts and in Python, where nothing inside depends on them. */
  #unifyQuotes(node: SyntaxNode, text: string): string {
    const { isScript, isPython } = this.#options;
    const holder = /^string_(?:start|end)$|^['"]$/.test(node.type) ? node.parent : node;
    if (!isScript && !isPython) return text;
    if (holder === null || !/string/.test(holder.type)) return text;
    return /^[^'"\\]*(?:'{3}|'|"{3}|")[^'"\\]*(?:'{3}|'|"{3}|")$/.test(holder.text)
      ? text.replaceAll("'", '"')
      : text;
  }

  #writeInner(node: SyntaxNode, isInString: boolean): string {
    const { isEffectless } = this.#options;
    const bracketed = BRACKETED.test(node.type) && node.namedChildCount === 1
      ? node.firstNamedChild
      : null;
    if (bracketed !== null && !bracketed.text.includes("?.")) return this.write(bracketed);
    const chosen = isEffectless ? chooseValue(node) : null;
    if (chosen !== null) return this.write(chosen);
    const isString = STRING.test(node.type) || (isInString && !INSIDE_STRING.test(node.type));
    if (isString && this.#isDocString(node)) {
      return node.text.replace(/\s+/g, " ").replace(/^'{3}|'{3}$/g, '"""');
    }
    const all = this.#toParts(node, isString);
    const parts = isEffectless ? dropUnreached(node, all) : all;
    if (isEffectless && parts.length === 3) {
      const lone = dropNeutral(node, parts);
      if (lone !== null) return lone;
      const ordered = orderOperands(node, parts);
      if (ordered !== null) return `${node.type}\u0001${ordered}\u0002`;
    }
    const lone = this.#toLoneWord(node);
    return lone ?? `${node.type}\u0001${parts.map(({ text }) => text).join("\u0003")}\u0002`;
  }

  /** A parameter of an arrow function in brackets, and a key in quotes, are what they are without. */
  #toLoneWord(node: SyntaxNode): string | null {
    if (!this.#options.isScript) return null;
    const inner = node.text.slice(1, -1);
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(inner)) return null;
    const isParameter = node.type === "formal_parameters" && node.parent?.type === "arrow_function";
    const isKey = node.type === "string" && node.parent?.type === "pair" &&
      node.parent.childForFieldName("key")?.id === node.id;
    return isParameter || isKey ? inner : null;
  }

  #toParts(node: SyntaxNode, isString: boolean): NodePart[] {
    const parts: NodePart[] = [];
    let end = node.startIndex;
    for (const child of node.children) {
      if (child === null) continue;
      this.#addGap(parts, node, { start: end, end: child.startIndex, isString });
      end = child.endIndex;
      this.#addChild(parts, node, child, isString);
    }
    this.#addGap(parts, node, { start: end, end: node.endIndex, isString });
    return isString ? parts : sortImports(node, parts);
  }

  /** Text that the grammar gives no node, such as the content of a string. */
  #addGap(
    parts: NodePart[],
    node: SyntaxNode,
    gap: { readonly start: number; readonly end: number; readonly isString: boolean },
  ): void {
    if (gap.start >= gap.end) return;
    const text = node.text.slice(gap.start - node.startIndex, gap.end - node.startIndex);
    if (gap.isString || text.trim() !== "") {
      parts.push({ node, text: gap.isString ? text : text.trim() });
    }
  }

  #addChild(parts: NodePart[], node: SyntaxNode, child: SyntaxNode, isString: boolean): void {
    const { isEffectless } = this.#options;
    if (!isString && isSuperfluous(node, child)) return;
    if (/comment/.test(child.type)) {
      const text = child.text.replace(/\s+/g, " ");
      if (!isEffectless || DIRECTIVE.test(text)) parts.push({ node: child, text });
      return;
    }
    if (isEffectless && isIdleStatement(child, this.#holder)) return;
    const inner = isEffectless ? unwrapBlock(node, child) : null;
    if (inner === null) parts.push({ node: child, text: this.write(child, isString) });
    else {
      for (const statement of inner.namedChildren) {
        if (statement !== null) this.#addChild(parts, inner, statement, false);
      }
    }
  }

  #isDocString(node: SyntaxNode): boolean {
    const isStatement = node.parent?.type === "expression_statement";
    return this.#options.isPython && isStatement && node.parent?.namedChildCount === 1;
  }
}

/** Names of arguments and labels belong to what is called. */
function isLabel(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (/^(?:keyword_argument|named_argument)$/.test(parent.type)) {
    return parent.firstNamedChild?.id === node.id;
  }
  // Members are named by grammars that have no type of their own for them.
  return ["attribute", "property", "field", "method"].some((field) =>
    parent.childForFieldName(field)?.id === node.id
  );
}

/** What a formatter adds and takes away: line breaks as tokens, a last semicolon, a trailing comma. */
function isSuperfluous(node: SyntaxNode, child: SyntaxNode): boolean {
  const { text } = child;
  if (child.type === "empty_statement" || (child.childCount === 0 && text.trim() === "")) {
    return true;
  }
  if (child.isNamed) return false;
  if (text === ";") return child.nextSibling === null;
  if (text !== "," || /subscript/.test(node.type)) return false;
  const next = child.nextSibling;
  return next !== null && !next.isNamed && /^[)\]}]$/.test(next.text) &&
    child.previousSibling?.isNamed === true;
}

/** Imports of one block, and names of one import, in the order of the alphabet. */
function sortImports(node: SyntaxNode, parts: NodePart[]): NodePart[] {
  const isNames = IMPORT.test(node.type) ||
    /^(?:named_imports|use_list|import_spec_list)$/.test(node.type);
  const sorted: NodePart[] = [];
  let run: NodePart[] = [];
  const flush = () => {
    sorted.push(...run.sort((one, other) => (one.text < other.text ? -1 : 1)));
    run = [];
  };
  for (const part of parts) {
    if (isNames && /^[,()]$/.test(part.node.type)) continue;
    const isImport = IMPORT.test(part.node.type) && !/^import\s*["'(]/.test(part.node.text);
    if (run.length > 0 && run[0]?.node.type !== part.node.type) flush();
    if (part.node.isNamed && (isNames || isImport)) run.push(part);
    else {
      flush();
      sorted.push(part);
    }
  }
  flush();
  return sorted;
}
