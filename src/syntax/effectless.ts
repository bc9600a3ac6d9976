/**
 * What an edit can do to code without an effect: idle statements, conditions that always hold, blocks that change nothing,
 * operands that add nothing or stand in another order, another name for a local variable. Pure.
 */
import type { SyntaxNode } from "./tree_sitter.ts";

const DECLARES = new Set(
  (
    "assignment variable_declarator let_declaration short_var_declaration var_spec " +
    "init_declarator for_statement for_in_clause for_in_statement enhanced_for_statement " +
    "for_expression foreach_statement range_clause named_expression with_item as_pattern " +
    "property_declaration variable_declaration val_definition var_definition " +
    "initialized_variable_definition"
  ).split(" "),
);
const FIELDS = ["left", "name", "pattern", "declarator", "alias"];
const PARAMETERS = /parameter/;
/** What is behind these is declared elsewhere. */
const REACHES_OUT = /member|attribute|subscript|field|index|selector|call|type|navigation/;
const OUTSIDE = /^(?:global_statement|nonlocal_statement)$/;
const MAX_DEPTH = 400;

/** The names of a function's local variables, without its parameters and without names that it says to be of outside. */
export function findLocalNames(root: SyntaxNode): readonly string[] {
  const declared = new Set<string>();
  const others = new Set<string>();
  const visit = (node: SyntaxNode, depth: number) => {
    if (depth > MAX_DEPTH) return;
    if (PARAMETERS.test(node.type) || OUTSIDE.test(node.type)) addNames(node, others);
    if (DECLARES.has(node.type)) {
      for (const part of declaredParts(node)) addNames(part, declared);
    }
    for (const child of node.namedChildren) if (child !== null) visit(child, depth + 1);
  };
  visit(root, 0);
  return [...declared].filter((name) => !others.has(name));
}

function declaredParts(node: SyntaxNode): readonly SyntaxNode[] {
  const named = FIELDS.flatMap((field) => node.childForFieldName(field) ?? []);
  const [first] = node.namedChildren;
  return named.length > 0 || !first ? named : [first];
}

function addNames(node: SyntaxNode, names: Set<string>): void {
  if (node.childCount === 0) {
    if (/^(?:simple_)?identifier$/.test(node.type)) names.add(node.text);
    return;
  }
  if (REACHES_OUT.test(node.type)) return;
  for (const child of node.namedChildren) if (child !== null) addNames(child, names);
}

/** A part of a node as it is written. */
export interface NodePart {
  readonly node: SyntaxNode;
  readonly text: string;
}

const BLOCK = /^(?:block|statement_block|compound_statement|statements|body_statement)$/;
const LITERAL =
  /^(?:string|integer|float|number|true|false|none|null|ellipsis|string_literal|number_literal)$/i;
const ASSIGNMENT = /^assignment(?:_expression|_statement)?$/;
const ALWAYS_TRUE = /^(?:true|True|1|not False|!\s*false|([\w.$]+)\s*={2,3}\s*\1)$/;
const CONDITIONAL = /^(?:conditional_expression|ternary_expression)$/;
const JUMP = /^(?:return|raise|throw|break|continue)_(?:statement|expression)$/;
/** Handlers that pass on what they caught. */
const PASSES_ON =
  /^(?:except[^:\n]*:\s*raise|catch\s*\(\s*([\w$]+)[^)]*\)\s*\{\s*throw\s+\1\s*;?\s*\})$/;
/** Operands that leave the other one as it is, on either side and on the right. */
const NEUTRAL = new Map([["+", "0"], ["*", "1"]]);
const NEUTRAL_RIGHT = new Map([...NEUTRAL, ["-", "0"], ["/", "1"]]);
const COMMUTES = /^(?:==|!=|===|!==|\*|&|\||\^|\+)$/;
const FLIPPED = new Map([[">", "<"], [">=", "<="]]);

/**
 * A statement that does nothing: a value alone, `x = x`, `pass`, a plain value for a local variable that nothing reads.
 *
 * @param holder text of the outermost function round it; null outside of functions.
 */
export function isIdleStatement(node: SyntaxNode, holder: string | null): boolean {
  if (node.type === "pass_statement") return true;
  // In the body of a class an assignment makes a member.
  if (/class/.test(node.parent?.parent?.type ?? "")) return false;
  const inner = node.type === "expression_statement" && node.namedChildCount === 1
    ? node.firstNamedChild
    : node;
  if (inner === null) return false;
  if (inner !== node && (LITERAL.test(inner.type))) return true;
  if (holder !== null && isUnread(inner, holder)) return true;
  if (!ASSIGNMENT.test(inner.type)) return false;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const hasOtherParts = inner.namedChildCount !== 2;
  return left !== null && !hasOtherParts && left.text === right?.text &&
    /^[\w$.]+$/.test(left.text);
}

/** What counts behind a jump too: functions are known from the beginning of their block, labels are jumped to. */
const REACHED = /comment|function|class|label|case|default/;

/** The parts of a block without those behind a jump, which are never reached. */
export function dropUnreached(node: SyntaxNode, parts: readonly NodePart[]): readonly NodePart[] {
  const last = BLOCK.test(node.type) ? parts.findIndex((part) => JUMP.test(part.node.type)) : -1;
  if (last < 0) return parts;
  return parts.filter(({ node: { type } }, at) => at <= last || REACHED.test(type));
}

/** Whether a plain value is given to a local variable whose name stands nowhere else. */
function isUnread(node: SyntaxNode, holder: string): boolean {
  const declared = node.type === "lexical_declaration" && node.namedChildCount === 1
    ? node.firstNamedChild
    : ASSIGNMENT.test(node.type)
    ? node
    : null;
  const name = declared?.childForFieldName("left") ?? declared?.childForFieldName("name");
  const value = declared?.childForFieldName("right") ?? declared?.childForFieldName("value");
  if (!name || !value || !LITERAL.test(value.type) || !/^[A-Za-z_]\w*$/.test(name.text)) {
    return false;
  }
  return (holder.match(new RegExp(`\\b${name.text}\\b`, "g")) ?? []).length === 1;
}

/**
 * The block whose statements stand for a child: `if True:`, a block in a block, and what is tried where each failure is only
 * passed on.
 */
export function unwrapBlock(node: SyntaxNode, child: SyntaxNode): SyntaxNode | null {
  if (BLOCK.test(child.type)) return BLOCK.test(node.type) ? child : null;
  if (child.type === "try_statement") {
    const [body, ...handlers] = child.namedChildren;
    const isPassed = handlers.length > 0 &&
      handlers.every((handler) => handler !== null && PASSES_ON.test(handler.text.trim()));
    return isPassed ? body ?? null : null;
  }
  return /^if_(?:statement|expression)$/.test(child.type) && isAlwaysTrue(child)
    ? child.childForFieldName("consequence")
    : null;
}

/** The value of a conditional expression whose condition always holds; null for every other node. */
export function chooseValue(node: SyntaxNode): SyntaxNode | null {
  if (!CONDITIONAL.test(node.type)) return null;
  // Python has no names for the parts: the value stands before its condition.
  if (node.childForFieldName("condition") === null) {
    const condition = node.namedChild(1)?.text ?? "";
    return ALWAYS_TRUE.test(condition) ? node.namedChild(0) : null;
  }
  return isAlwaysTrue(node) ? node.childForFieldName("consequence") : null;
}

function isAlwaysTrue(node: SyntaxNode): boolean {
  const condition = node.childForFieldName("condition")?.text.replace(/^\(\s*|\s*\)$/g, "");
  return condition !== undefined && ALWAYS_TRUE.test(condition);
}

/** The operand that stands for both, where the other one adds nothing; null where none does. */
export function dropNeutral(node: SyntaxNode, parts: readonly NodePart[]): string | null {
  const [left, operator, right] = parts;
  if (left === undefined || operator === undefined || right === undefined) return null;
  if (!/binary|infix|additive|multiplicative/.test(node.type)) return null;
  const sign = operator.node.text;
  if (NEUTRAL_RIGHT.get(sign) === right.node.text) return left.text;
  return NEUTRAL.get(sign) === left.node.text ? right.text : null;
}

/** Operands in the order of the alphabet where the operator allows it; `a > b` as `b < a`. */
export function orderOperands(node: SyntaxNode, parts: readonly NodePart[]): string | null {
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
