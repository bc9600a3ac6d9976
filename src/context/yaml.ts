/**
 * What the program uses of the YAML parser, by name: the package is of the older module form, of which an
 * import at run time finds the names only from source.
 */
import type { Document, DocumentOptions, ParseOptions, SchemaOptions } from "yaml";
import { isCollection, isPair, isScalar, parseDocument, YAMLParseError } from "yaml";

export {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";

/** Levels of lists and maps inside each other; the deepest file of ours has six (guessed). */
const MOST_LEVELS = 64;

/**
 * Parses a text whose writer is unknown. Beside the errors of the parser the document has those of texts that
 * would take the parser beyond its stack, or minutes: too many levels, and keys that come twice, which the parser
 * itself compares each with each.
 */
export function parseBounded(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): Document.Parsed {
  if (isTooDeep(text)) return makeTooDeep(options);
  const document = parseDocument(text, { ...options, uniqueKeys: false });
  const place = options.prettyErrors === false
    ? () => ""
    : (at: number) => formatPosition(text, at);
  for (const [message, at] of findFaults(document)) {
    document.errors.push(makeYamlFault(`${message}${place(at)}`, at));
  }
  return document;
}

/** A first look at the text alone: brackets that stay open, and signs of lists and keys behind each other. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const [sign] of text.matchAll(/[[{\]}]/g)) {
    open += sign === "[" || sign === "{" ? 1 : open > 0 ? -1 : 0;
    // Texts hold brackets too, so that only very many are no text.
    if (open > MOST_LEVELS * 16) return true;
  }
  return new RegExp(`(?:[-?:][ \\t]+){${MOST_LEVELS},}`).test(text);
}

function makeTooDeep(options: ParseOptions & DocumentOptions & SchemaOptions): Document.Parsed {
  const document = parseDocument("", options);
  document.errors.push(makeYamlFault("The file has too many levels", 0));
  return document;
}

function makeYamlFault(message: string, offset: number): YAMLParseError {
  return new YAMLParseError([offset, offset + 1], "IMPOSSIBLE", message);
}

/** As the parser itself says where a fault is. */
function formatPosition(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const column = offset - before.lastIndexOf("\n");
  return ` at line ${before.split("\n").length}, column ${column}`;
}

/** Faults that are reported of one file. */
const MOST_FAULTS = 100;

/** Messages with their offsets. Goes through the nodes without a stack of calls. */
function findFaults(document: Document.Parsed): readonly (readonly [string, number])[] {
  const faults: (readonly [string, number])[] = [];
  const rest: { readonly node: unknown; readonly level: number }[] = [
    { node: document.contents, level: 0 },
  ];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (faults.length >= MOST_FAULTS) break;
    const { node, level } = next;
    if (level > MOST_LEVELS) return [["The file has too many levels", 0]];
    if (!isCollection(node)) continue;
    const keys = new Set<unknown>();
    for (const item of node.items) {
      if (!isPair(item)) {
        rest.push({ node: item, level: level + 1 });
        continue;
      }
      const key = isScalar(item.key) ? item.key.value : item.key;
      if (keys.has(key)) {
        const offset = isScalar(item.key) ? item.key.range?.[0] ?? 0 : 0;
        faults.push(["Map keys must be unique", offset]);
      }
      keys.add(key);
      rest.push({ node: item.key, level: level + 1 }, { node: item.value, level: level + 1 });
    }
  }
  return faults.sort(([, a], [, b]) => a - b);
}

/** This module, loaded with `await import()` where a file needs it: hooks have to answer at once. */
export type Yaml = typeof import("./yaml.ts");
