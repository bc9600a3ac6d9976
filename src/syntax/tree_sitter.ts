/**
 * Parses code to syntax trees with the vendored grammars. Nothing is loaded before the first parse;
 * then the runtime and each grammar once per process.
 *
 * Positions are those of JavaScript strings: indices and columns count UTF-16 units, rows from 0.
 */
import { promisify } from "node:util";
import { readProgramFile } from "../base/program_files.ts";
import type { Language as Grammar, Node, Parser, Query, QueryMatch } from "web-tree-sitter";
import { loadOnce } from "../base/lazy.ts";
import { getOrInsert } from "../base/once.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { languageByName } from "../language/languages.ts";
import { readPatterns } from "./pattern_files.ts";
import type { RuntimeModule } from "./query_memory.ts";
import { putQuery, takeQuery } from "./query_memory.ts";

/**
 * The vendored module as its package ships it; on the disk it is compressed.
 *
 * @throws when the file is missing or damaged.
 */
export async function readWasm(name: string): Promise<Uint8Array> {
  const [{ brotliDecompress }, stored] = await Promise.all([
    import("node:zlib"),
    readProgramFile(`wasm/${name}.wasm.br`),
  ]);
  return await promisify(brotliDecompress)(stored);
}

/** A node of a tree; unusable once its tree is disposed of. */
export type SyntaxNode = Node;

/** A parsed text. It holds memory outside JavaScript's, so take it with `using`. */
export interface SyntaxTree {
  /** The node of the whole text. */
  readonly root: SyntaxNode;
  /** Gives the memory of the tree back. */
  [Symbol.dispose](): void;
}

/** What one pattern of a query found. */
export type SyntaxMatch = QueryMatch;

/** Patterns compiled for one grammar; kept for the life of the process. */
export interface SyntaxQuery {
  /**
   * All places of a tree that fit a pattern.
   *
   * @returns null when that took longer than `timeoutMs` of the thread's own time or broke the runtime.
   */
  findMatches(root: SyntaxNode, timeoutMs: number): readonly SyntaxMatch[] | null;
}

/** How a text is parsed. */
export interface ParseOptions {
  /** Limit in milliseconds of the thread's own time, default `LIMITS.parseTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** The runtime, and its module, which has the memory. */
type Runtime = typeof import("web-tree-sitter") & { readonly module: RuntimeModule };

const runtime = loadOnce(startRuntime);
let parser: Parser | null = null;
const grammars = new Map<string, Promise<Grammar>>();
const queries = new Map<string, SyntaxQuery>();

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
  const name = findGrammarName(language);
  return name === null ? null : await parseWithGrammar(text, name, options);
}

/** The same by the name of a grammar of `wasm/`, for texts inside texts of another language. */
export async function parseWithGrammar(
  text: string,
  name: string,
  options: ParseOptions = {},
): Promise<SyntaxTree | null> {
  const { Parser } = await runtime();
  const grammar = await loadGrammar(name);
  // From here to the tree nothing awaits, so one parser serves all callers.
  parser ??= new Parser();
  const isLate = limitOwnTime(options.timeoutMs ?? LIMITS.parseTimeoutMs.value);
  try {
    parser.setLanguage(grammar);
    const tree = parser.parse(text, null, { progressCallback: isLate });
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

/**
 * Patterns of a grammar of `wasm/`, ready for use; once per process. They are taken from the program's file of compiled
 * patterns, and compiled where they are not in there.
 *
 * @param key tells apart the queries of one grammar.
 * @throws {Error} when the patterns do not fit the grammar.
 */
export async function loadQuery(name: string, key: string, source: string): Promise<SyntaxQuery> {
  const known = queries.get(`${name} ${key}`);
  if (known !== undefined) return known;
  const [opened, grammar, packed] = await Promise.all([
    runtime(),
    loadGrammar(name),
    readPatterns(name, source),
  ]);
  // Another caller may have been here meanwhile.
  return getOrInsert(
    queries,
    `${name} ${key}`,
    () => wrapQuery(createQuery(opened, grammar, { source, packed })),
  );
}

/**
 * Compiles the patterns of a grammar again.
 *
 * @returns what {@link loadQuery} can take from a file.
 * @throws {Error} when the patterns do not fit the grammar.
 */
export async function compilePatterns(name: string, source: string): Promise<Uint8Array> {
  const { module, Query } = await runtime();
  const query = new Query(await loadGrammar(name), source);
  try {
    return takeQuery(module, addressOf(query));
  } finally {
    query.delete();
  }
}

interface Patterns {
  readonly source: string;
  /** As they are once compiled; null where that is to be done. */
  readonly packed: Uint8Array | null;
}

/** While the query is made, what compiles in the runtime gives what was compiled before: the rest is its own work. */
function createQuery(
  { module, Query }: Runtime,
  grammar: Grammar,
  { source, packed }: Patterns,
): Query {
  const compile = module._ts_query_new;
  if (packed === null || compile === undefined) return new Query(grammar, source);
  module._ts_query_new = (...values) =>
    putQuery(module, packed, addressOf(grammar)) ?? compile(...values);
  try {
    return new Query(grammar, source);
  } finally {
    module._ts_query_new = compile;
  }
}

/** Where in the runtime's memory an object lies. */
function addressOf(object: Grammar | Query): number {
  return (object as unknown as { readonly 0: number })[0];
}

function wrapQuery(query: Query): SyntaxQuery {
  return {
    findMatches(root, timeoutMs) {
      const isOver = limitOwnTime(timeoutMs);
      let isLate = false;
      try {
        const progressCallback = () => (isLate = isOver());
        const matches = query.matches(root, { progressCallback });
        return isLate ? null : matches;
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) return null;
        throw error;
      }
    },
  };
}

/**
 * Longest time between two calls back that counts as work. They come many times a millisecond; a longer gap is time
 * in which the system gave the thread nothing.
 */
const GAP_MS = 5;

/**
 * A limit of the thread's own time: a busy machine takes many times as long for a text. What a tree
 * says must not depend on that.
 *
 * @returns true once the limit is spent, to be called while the work goes on.
 */
function limitOwnTime(limitMs: number): () => boolean {
  let spentMs = 0;
  let lastMs = performance.now();
  return () => {
    const nowMs = performance.now();
    spentMs += Math.min(nowMs - lastMs, GAP_MS);
    lastMs = nowMs;
    return spentMs > limitMs;
  };
}

function findGrammarName(language: string): string | null {
  return languageByName(language)?.grammar ?? null;
}

async function startRuntime(): Promise<Runtime> {
  const [module, wasmBinary] = await Promise.all([
    import("web-tree-sitter"),
    readWasm("web-tree-sitter"),
  ]);
  // Given the bytes, the runtime looks for no file of its own beside its package. It makes its module of what it is given.
  const own: RuntimeModule & { readonly wasmBinary: Uint8Array } = { wasmBinary };
  await module.Parser.init(own);
  return { ...module, module: own };
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
  const [{ Language }, bytes] = await Promise.all([runtime(), readWasm(name)]);
  return await Language.load(bytes);
}
