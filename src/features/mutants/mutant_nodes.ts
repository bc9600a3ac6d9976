/** What a node of a syntax tree is for mutants: a call, a pattern, a limit, a condition. Pure. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { isEqualitySign, isTelling, PASSED_OVER, PATTERN_CALL } from "./mutant_rules.ts";

/** A place of a text, in UTF-16 units. */
export type Span = Pick<SyntaxNode, "startIndex" | "endIndex" | "startPosition">;

/** What stands before a list of arguments: the name of what is called. */
export function headOf(list: SyntaxNode | null): string {
  if (list === null || !/argument/.test(list.type)) return "";
  const call = list.type === "argument" ? list.parent?.parent : list.parent;
  const end = list.type === "argument" ? list.parent?.startIndex : list.startIndex;
  return call?.text.slice(0, (end ?? 0) - call.startIndex).replace(/^new\s+/, "").trim() ?? "";
}

/** Whether a node is a regular expression: of the language, or the first text given to what reads one. */
export function isPattern(node: SyntaxNode): boolean {
  if (node.type === "regex") return true;
  if (!/string/.test(node.type) || !/argument/.test(node.parent?.type ?? "")) return false;
  const holder = node.parent?.type === "argument" ? node.parent : node;
  return holder?.previousNamedSibling === null && PATTERN_CALL.test(headOf(node.parent));
}

/** A name or a member, not a literal: only those of one kind are mistaken for each other. */
export function isPlain({ text }: SyntaxNode): boolean {
  return text.length < 60 && /^[$@a-zA-Z_][\w.$\[\]"'>-]*$/.test(text);
}

/**
 * Whether a comparison keeps a value within a limit, as in `if (a > b) a = b` and `a > b ? b : a`: at the limit both are
 * the same.
 */
export function isLimit(node: SyntaxNode): boolean {
  const [left, , right] = node.children;
  const holder = node.parent?.type.includes("parenthesized") ? node.parent.parent : node.parent;
  if (node.childCount !== 3 || !left || !right || !holder) return false;
  const rest = holder.namedChildren.filter((one) => one !== null && !one.text.includes(node.text));
  const texts = rest.map((one) => one?.text.replaceAll(/^[{\s]+|[;}\s]+$/g, "") ?? "");
  const sides = [left.text, right.text];
  return /conditional|ternary/.test(holder.type)
    ? texts.length === 2 && texts.every((text) => sides.includes(text))
    : /^if/.test(holder.type) && texts.length === 1 &&
      [sides, sides.toReversed()].some(([a, b]) => texts[0] === `${a} = ${b}`);
}

/** Where a node lies. */
export function toSpan({ startIndex, endIndex, startPosition }: SyntaxNode): Span {
  return { startIndex, endIndex, startPosition };
}

/** Whether nothing in a node runs, or nothing that a test should notice. */
export function isPassedOver(node: SyntaxNode): boolean {
  if (PASSED_OVER.test(node.type)) return true;
  // Tests of Rust stand in the file that they test.
  if (node.type === "mod_item" && /^mod \w*tests?\b/.test(node.text)) return true;
  // Attributes of modules in Elixir, types of functions among them.
  if (node.type === "unary_operator" && node.text.startsWith("@")) return true;
  return /call|invocation/.test(node.type) && isTelling(node.text);
}

/** Whether an addition puts texts together: no test of numbers is about it. */
export function joinsTexts(node: SyntaxNode): boolean {
  return node.namedChildren.some((child) =>
    child !== null && /string|template|encapsed|quoted|heredoc/.test(child.type)
  );
}

/** What stands in the brackets of a node, where that is no comparison whose sign is turned already. */
export function toBracketed(node: SyntaxNode): Span | null {
  const { children } = node;
  const open = children.findIndex((child) => child?.type === "(");
  const close = children.findLastIndex((child) => child?.type === ")");
  const [first, last] = [children[open + 1], children[close - 1]];
  if (open < 0 || close <= open + 1 || !first || !last) return null;
  return first === last && isCompared(first) ? null : { ...toSpan(first), endIndex: last.endIndex };
}

/** The condition of a node without its brackets. */
export function toCondition(node: SyntaxNode, at: string | number): SyntaxNode | null {
  let condition = typeof at === "number" ? node.namedChild(at) : node.childForFieldName(at);
  while (condition !== null && condition.childCount === 3 && condition.child(0)?.type === "(") {
    condition = condition.namedChild(0);
  }
  return condition?.isNamed === true ? condition : null;
}

/** Whether a node compares by a sign that is turned already. */
export function isCompared(node: SyntaxNode): boolean {
  return node.children.some((child) => child !== null && isEqualitySign(child.text));
}
