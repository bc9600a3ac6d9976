/** Says which lines of a file are code that can run: no blank line, comment or bracket alone, and no type that is gone when the code runs. */
import { LIMITS } from "../../base/settings/limits.ts";
import { languageOfPath } from "../../language/languages.ts";
import { kindOfPlace, maskText } from "../../language/mask.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { parseText } from "../../syntax/tree_sitter.ts";

/** Declarations of TypeScript of which nothing is left when the code runs. */
const TYPES_ONLY = new Set([
  "interface_declaration",
  "type_alias_declaration",
  "ambient_declaration",
]);
const WRAPPERS = new Set(["program", "export_statement"]);

/** Numbers of these lines, from 1. */
export async function findCodeLines(path: string, text: string): Promise<ReadonlySet<number>> {
  const language = languageOfPath(path);
  const masked = language === undefined ? text : maskText(text, language);
  const lines = new Set<number>();
  masked.split("\n").forEach((line, index) => {
    for (let at = 0; at < line.length; at++) {
      const kind = kindOfPlace(line, at);
      if (kind === "comment" || (kind === "code" && !/[\p{L}\p{N}_$]/u.test(line.charAt(at)))) {
        continue;
      }
      lines.add(index + 1);
      return;
    }
  });
  if (
    language !== undefined && /\.[cm]?tsx?$/i.test(path) && text.length <= LIMITS.fileBytes.value
  ) {
    using tree = await parseText(text, language.name);
    if (tree !== null) removeTypes(tree.root, lines);
  }
  return lines;
}

function removeTypes(node: SyntaxNode, lines: Set<number>): void {
  for (const child of node.namedChildren) {
    if (WRAPPERS.has(child.type)) removeTypes(child, lines);
    if (!TYPES_ONLY.has(child.type)) continue;
    for (let row = child.startPosition.row; row <= child.endPosition.row; row++) {
      lines.delete(row + 1);
    }
  }
}
