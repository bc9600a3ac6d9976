/**
 * Parses code to syntax trees with the vendored grammars. Nothing is loaded before the first parse;
 * then the runtime and each grammar once per process.
 *
 * Positions are those of JavaScript strings: indices and columns count UTF-16 units, rows from 0.
 */
import type { Language as Grammar, Node, Parser } from "web-tree-sitter";
import { LIMITS } from "../base/limits.ts";
import { languageByName } from "./languages.ts";
import { readWasm } from "./wasm_files.ts";

/** A node of a tree; unusable once its tree is disposed of. */
export type SyntaxNode = Node;

/** A parsed text. It holds memory outside JavaScript's, so take it with `using`. */
export interface SyntaxTree {
  /** The node of the whole text. */
  readonly root: SyntaxNode;
  /** Gives the memory of the tree back. */
  [Symbol.dispose](): void;
}

/** How a text is parsed. */
export interface ParseOptions {
  /** Limit in milliseconds, default `LIMITS.parseTimeoutMs`. */
  readonly timeoutMs?: number;
}

type Runtime = typeof import("web-tree-sitter");

let runtime: Promise<Runtime> | null = null;
let parser: Parser | null = null;
const grammars = new Map<string, Promise<Grammar>>();

/** Whether texts of the language (a name or an alias of `LANGUAGES`) can be parsed. */
export function hasGrammar(language: string): boolean {
  return toGrammarName(language) !== null;
}

/**
 * The syntax tree of a text, with ERROR nodes where it is not of the language.
 *
 * @param language a name or an alias of `LANGUAGES`.
 * @returns null when the language has no grammar, or the text took longer than the limit or broke its
 * grammar; then a text rule is the way.
 */
export async function parseText(
  text: string,
  language: string,
  options: ParseOptions = {},
): Promise<SyntaxTree | null> {
  const name = toGrammarName(language);
  if (name === null) return null;
  const { Parser } = await loadRuntime();
  const grammar = await loadGrammar(name);
  // From here to the tree nothing awaits, so one parser serves all callers.
  parser ??= new Parser();
  const endMs = performance.now() + (options.timeoutMs ?? LIMITS.parseTimeoutMs.value);
  try {
    parser.setLanguage(grammar);
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > endMs });
    if (tree === null) {
      // Without this the next parse would go on with the text that was given up.
      parser.reset();
      return null;
    }
    return { root: tree.rootNode, [Symbol.dispose]: () => tree.delete() };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // A trap leaves the parser in an unknown state: the next call takes another one.
    parser = null;
    return null;
  }
}

function toGrammarName(language: string): string | null {
  return languageByName(language)?.grammar ?? null;
}

function loadRuntime(): Promise<Runtime> {
  runtime ??= startRuntime().catch((error: unknown) => {
    runtime = null;
    throw error;
  });
  return runtime;
}

async function startRuntime(): Promise<Runtime> {
  const [module, wasmBinary] = await Promise.all([
    import("web-tree-sitter"),
    readWasm("web-tree-sitter"),
  ]);
  // Given the bytes, the runtime looks for no file of its own beside its package.
  await module.Parser.init({ wasmBinary });
  return module;
}

async function loadGrammar(name: string): Promise<Grammar> {
  const known = grammars.get(name);
  if (known !== undefined) return await known;
  const loading = readGrammar(name);
  grammars.set(name, loading);
  try {
    return await loading;
  } catch (error) {
    grammars.delete(name);
    throw error;
  }
}

async function readGrammar(name: string): Promise<Grammar> {
  const [{ Language }, bytes] = await Promise.all([loadRuntime(), readWasm(name)]);
  return await Language.load(bytes);
}
