/**
 * How each grammar writes functions, classes, bodies and what stands around them, made of the rows of the languages, and
 * what a node is by it. Pure.
 */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { LANGUAGES } from "../../language/languages.ts";
import type { BodyRow } from "../../language/language_row.ts";

/** How one language writes what may be an empty implementation. */
export interface EmptyBodyRule {
  /** Types of function nodes. */
  readonly functions: ReadonlySet<string>;
  /** Types of function nodes without a name; they count where something gives them a name. */
  readonly lambdas: ReadonlySet<string>;
  /** Types that give a name to the lambda that is their last part. */
  readonly named: ReadonlySet<string>;
  /** Types that hold members: classes, modules, namespaces. */
  readonly classes: ReadonlySet<string>;
  /** Types that only hold statements or members. */
  readonly blocks: ReadonlySet<string>;
  /** Types that neither do work nor stand in for it: imports, decorators, package names. */
  readonly neutral: ReadonlySet<string>;
  /** The same by text, for languages that write such things as calls. */
  readonly neutralText?: RegExp;
  /** Types of comments and of documentation. */
  readonly comments: RegExp;
  /** Whole statements that do nothing. */
  readonly noop?: RegExp;
  /** Types in whose block a statement that does nothing is deliberate, such as `catch`. */
  readonly handlers: ReadonlySet<string>;
  /** Header of a constructor, where its node type does not tell. */
  readonly constructors?: RegExp;
  /** Header of a constructor that does work by its header alone. */
  readonly promotes?: RegExp;
  /** Header of a function that may have no body. */
  readonly abstract?: RegExp;
  /** Header of a class whose functions may have no body. */
  readonly abstractClass?: RegExp;
  /** Header of a class that may have no members. */
  readonly emptyClass: RegExp;
  /** True where a function or class without a body node has an empty body. */
  readonly isBodyOptional: boolean;
  /** True where the body is a node beside the header instead of a child. */
  readonly isBodyBeside: boolean;
}

/**
 * The rule of each grammar that can have empty implementations; grammars of markup and data have
 * none.
 */
export const EMPTY_BODY_RULES: ReadonlyMap<string, EmptyBodyRule> = new Map(
  LANGUAGES.flatMap(({ grammar, bodies }) =>
    grammar === null || bodies === undefined ? [] : [[grammar, toRule(bodies)] as const]
  ),
);

function toRule(row: BodyRow): EmptyBodyRule {
  const { functions, lambdas, named, classes, blocks, neutral, handlers, ...rest } = row;
  return {
    comments: /comment/,
    emptyClass: /^/,
    isBodyOptional: false,
    isBodyBeside: false,
    ...rest,
    functions: toSet(functions),
    lambdas: toSet(lambdas),
    named: toSet(named),
    classes: toSet(classes),
    blocks: toSet(blocks),
    neutral: toSet(neutral),
    handlers: toSet(handlers),
  };
}

function toSet(names = ""): ReadonlySet<string> {
  return new Set(names.split(" ").filter((name) => name !== ""));
}

/** What a node is to the judgement. */
export type Role = "function" | "class" | "neutral" | "comment" | "other";

/**
 * The role of a node. Elixir writes definitions as calls, so their role is told by the first word.
 */
export function roleOf(node: SyntaxNode, grammar: string, rule: EmptyBodyRule): Role {
  const { type } = node;
  if (rule.comments.test(type)) return "comment";
  if (rule.neutral.has(type)) return "neutral";
  if (rule.functions.has(type)) return "function";
  if (rule.classes.has(type)) return "class";
  if (rule.named.has(type) && findLambda(node, rule) !== null) return "function";
  if (type === "preproc_def" && node.childForFieldName("value") === null) return "neutral";
  if (grammar === "elixir") return roleOfCall(node);
  if (rule.neutralText !== undefined && /^(?:call|identifier)$/.test(type)) {
    if (rule.neutralText.test(node.text.slice(0, 40))) return "neutral";
  }
  return "other";
}

function roleOfCall(node: SyntaxNode): Role {
  if (node.type === "unary_operator") {
    return /^@(?:doc|moduledoc|typedoc|shortdoc)\b/.test(node.text.slice(0, 20))
      ? "comment"
      : "other";
  }
  if (node.type !== "call") return "other";
  const word = node.childForFieldName("target")?.text ?? "";
  if (/^(?:def|defp|defmacro|defmacrop)$/.test(word)) return "function";
  if (/^(?:defmodule|defimpl)$/.test(word)) return "class";
  return /^(?:import|alias|use|require)$/.test(word) ? "neutral" : "other";
}

/**
 * The lambda to which a node gives a name: its last part, or the last part of a declaration in it.
 */
export function findLambda(node: SyntaxNode, rule: EmptyBodyRule): SyntaxNode | null {
  let last = node.lastNamedChild;
  while (last !== null && !rule.lambdas.has(last.type)) {
    const isList = last.type === "expression_list" && last.namedChildCount === 1;
    if (!isList && !rule.named.has(last.type)) return null;
    last = last.lastNamedChild;
  }
  return last;
}
