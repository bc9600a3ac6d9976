/** Says whether two texts of a file are the same code: comments, layout and types that no run sees are left out. */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Bodies } from "../../language/languages.ts";
import { languageOfPath } from "../../language/languages.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { parseText } from "../../syntax/tree_sitter.ts";

/** Comments that compilers and tools obey, or that are run as tests. */
const OBEYED =
  /^#!|^\/\/(?:go:|export |line |[/!])|^\/\*[*!]|^\/\/ ?\+build|#cgo|#include|coding[:=]|frozen_string_literal|@(?:jsx|jest|vitest)|\bpragma\b|\bignore (?:next|file|else|if|start)|\bistanbul\b|\bc8\b/;
/** What only a check of types sees, where no decorator makes it known to the program. */
const TYPES =
  /^(?:type_annotation|interface_declaration|type_alias_declaration|type_arguments|type_parameters)$/;
const DECORATED = /^\s*@\w/m;
const MOST_DEPTH = 200;

/**
 * Whether each file is the same code on both sides; false where a grammar cannot tell, and of no file.
 *
 * @param read The text of a file; null where the side lacks it.
 */
export async function areSameCode<P extends string>(
  paths: readonly P[],
  read: (side: "base" | "tree", path: P) => Promise<string | null>,
): Promise<boolean> {
  for (const path of paths) {
    const [before, after] = [await read("base", path), await read("tree", path)];
    const language = languageOfPath(path);
    const longest = Math.max(before?.length ?? 0, after?.length ?? 0);
    if (before === null || after === null || language?.bodies === undefined) return false;
    if (longest > LIMITS.fileBytes.value) return false;
    const { name, bodies } = language;
    const old = await serialise(before, name, bodies);
    if (old === null || old !== await serialise(after, name, bodies)) return false;
  }
  return paths.length > 0;
}

/** The code as one text, with its nesting; null where it cannot be parsed. */
async function serialise(text: string, name: string, bodies: Bodies): Promise<string | null> {
  using tree = await parseText(text, name);
  // C in a comment before it is code.
  if (tree === null || tree.root.hasError || /^import "C"$/m.test(text)) return null;
  const hasTypes = !/^TypeScript|^TSX/i.test(name) || DECORATED.test(text);
  const isLeftOut = ({ type, text: own }: SyntaxNode) =>
    (bodies.comments.test(type) && !OBEYED.test(own)) || (!hasTypes && TYPES.test(type));
  const parts: string[] = [];
  const walk = (node: SyntaxNode, depth: number): boolean => {
    if (depth > MOST_DEPTH) return false;
    if (node.childCount === 0 || bodies.comments.test(node.type)) {
      parts.push(node.text);
      return true;
    }
    parts.push(`(${node.type}`);
    const children = node.children.filter((child) => child !== null && !isLeftOut(child));
    const isWhole = children.every((child, at) =>
      isTrailingComma(child, children[at + 1]) || walk(child, depth + 1)
    );
    // What stands between its parts, as in a text.
    if (/string|template|heredoc|regex/.test(node.type)) parts.push(node.text);
    parts.push(")");
    return isWhole;
  };
  return walk(tree.root, 0) ? parts.join("\0") : null;
}

function isTrailingComma(node: SyntaxNode, next: SyntaxNode | undefined): boolean {
  return node.type === "," && next !== undefined && /^[)\]}]$/.test(next.type) &&
    node.previousSibling?.type !== ",";
}
