/** What an edit can do to code without an effect: idle statements, blocks that change nothing, operands in another order. Pure. */
import type { SyntaxNode } from "./tree_sitter.ts";

/** A part of a node as it is written. */
export interface Part {
  readonly node: SyntaxNode;
  readonly text: string;
}

const BLOCK = /^(?:block|statement_block|compound_statement|statements|body_statement)$/;
const LITERAL =
  /^(?:string|integer|float|number|true|false|none|null|ellipsis|string_literal|number_literal)$/i;
const ASSIGNMENT = /^assignment(?:_expression|_statement)?$/;
const TRUE = /^(?:true|True|1)$/;
const COMMUTES = /^(?:==|!=|===|!==|\*|&|\||\^|\+)$/;
const FLIPPED = new Map([[">", "<"], [">=", "<="]]);

/** A statement that does nothing: a value alone, `x = x`, `pass`. */
export function isIdleStatement(node: SyntaxNode): boolean {
  if (node.type === "pass_statement") return true;
  // In the body of a class an assignment makes a member.
  if (/class/.test(node.parent?.parent?.type ?? "")) return false;
  const inner = node.type === "expression_statement" && node.namedChildCount === 1
    ? node.firstNamedChild
    : node;
  if (inner === null) return false;
  if (inner !== node && (LITERAL.test(inner.type))) return true;
  if (!ASSIGNMENT.test(inner.type)) return false;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const hasOtherParts = inner.namedChildCount !== 2;
  return left !== null && !hasOtherParts && left.text === right?.text &&
    /^[\w$.]+$/.test(left.text);
}

/** The block whose statements stand for a child: `if True:` without another way, or a block in a block. */
export function unwrapBlock(node: SyntaxNode, child: SyntaxNode): SyntaxNode | null {
  if (BLOCK.test(child.type)) return BLOCK.test(node.type) ? child : null;
  if (!/^if_(?:statement|expression)$/.test(child.type)) return null;
  const condition = child.childForFieldName("condition")?.text.replace(/^\(\s*|\s*\)$/g, "");
  const body = child.childForFieldName("consequence");
  const hasOther = child.namedChildCount !== 2;
  return condition === undefined || !TRUE.test(condition) || hasOther ? null : body;
}

/** Operands in the order of the alphabet where the operator allows it; `a > b` as `b < a`. */
export function orderOperands(node: SyntaxNode, parts: readonly Part[]): string | null {
  const [left, operator, right] = parts;
  if (left === undefined || operator === undefined || right === undefined) return null;
  if (!/binary|comparison|infix|equality|additive|multiplicative/.test(node.type)) return null;
  const sign = operator.node.text;
  const flipped = FLIPPED.get(sign);
  if (flipped !== undefined) return [right.text, flipped, left.text].join("\u0003");
  // Texts are joined in an order.
  if (!COMMUTES.test(sign) || (sign === "+" && /string|template/.test(left.text + right.text))) {
    return null;
  }
  const [first, last] = left.text <= right.text ? [left, right] : [right, left];
  return [first.text, sign, last.text].join("\u0003");
}
