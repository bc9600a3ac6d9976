/**
 * Calls and objects in JavaScript whose work is in functions that they are given: a route with its
 * handler, a test, a suite of tests, the methods of a component.
 */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { Grammar } from "./empty_bodies.ts";
import { bodiesOf, hasMark, statementKinds } from "./empty_bodies.ts";

/** What such a call or object is: empty, or as real as its parts. */
export type Registration =
  | { readonly kind: "empty"; readonly reason: string }
  | {
    readonly kind: "holder";
    readonly parts: readonly SyntaxNode[];
    /** The node that holds the parts; the text before it is the header. */
    readonly body: SyntaxNode | null;
  };

const SCRIPTS = new Set(["javascript", "typescript", "tsx"]);
/** A call for a test that is still to be written. */
const TODO_TEST = /^(?:it|test|describe|specify|suite)\.todo$/;
const SUITE = /^(?:describe|context|suite)(?:\.(?:only|each))?$/;
/**
 * Calls that begin with a text, and whose work is the function in the last argument: routes and
 * tests.
 */
const HANDED_OVER = /(?:^|\.)(?:get|post|put|patch|delete|all|it|test|specify)$/;

/**
 * What a statement, or a pair of an object, is by the functions that it passes on; null for any
 * other node.
 */
export function toRegistration(node: SyntaxNode, grammar: Grammar): Registration | null {
  if (!SCRIPTS.has(grammar.name)) return null;
  if (node.type === "pair") return toMembers(node);
  if (node.type !== "expression_statement" || node.namedChildCount !== 1) return null;
  const [call] = node.namedChildren;
  if (call?.type !== "call_expression") return null;
  const name = call.childForFieldName("function")?.text ?? "";
  if (TODO_TEST.test(name)) return { kind: "empty", reason: "the test is still to be written" };
  const args = call.childForFieldName("arguments")?.namedChildren ?? [];
  const last = args.at(-1);
  if (last === undefined || !grammar.rule.lambdas.has(last.type)) return null;
  const bodies = bodiesOf(last, grammar);
  if (SUITE.test(name)) return toSuite(bodies[0] ?? null, grammar);
  const kinds = bodies.flatMap((body) => [...statementKinds(body, grammar)]);
  if (bodies.length === 0 || kinds.some((kind) => kind !== "noop" && kind !== "placeholder")) {
    return null;
  }
  const isHandedOver = HANDED_OVER.test(name) && /string/.test(args[0]?.type ?? "");
  return isHandedOver || kinds.includes("placeholder") || hasMark(last, grammar.rule)
    ? { kind: "empty", reason: "the function that it is handed does nothing" }
    : null;
}

function toSuite(body: SyntaxNode | null, { rule }: Grammar): Registration | null {
  if (body === null) return null;
  const parts = body.namedChildren.filter(({ type }) => !rule.comments.test(type));
  return parts.length === 0
    ? { kind: "empty", reason: "the suite has no test" }
    : { kind: "holder", parts, body };
}

/** An object with functions in it, such as the methods of a component, is as real as they are. */
function toMembers(node: SyntaxNode): Registration | null {
  const value = node.childForFieldName("value");
  if (value?.type !== "object") return null;
  const isCode = value.namedChildren.some((member) =>
    member.type === "method_definition" ||
    /function/.test(member.childForFieldName("value")?.type ?? "")
  );
  return isCode ? { kind: "holder", parts: value.namedChildren, body: value } : null;
}
