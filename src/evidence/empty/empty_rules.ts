/**
 * The table of how each grammar writes functions, classes, bodies and what stands around them. A
 * new language is one row. Pure.
 */
import type { SyntaxNode } from "../../syntax/mod.ts";

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

interface Row {
  readonly functions: string;
  readonly lambdas?: string;
  readonly named?: string;
  readonly classes?: string;
  readonly blocks?: string;
  readonly neutral?: string;
  readonly neutralText?: RegExp;
  readonly comments?: RegExp;
  readonly noop?: RegExp;
  readonly handlers?: string;
  readonly constructors?: RegExp;
  readonly promotes?: RegExp;
  readonly abstract?: RegExp;
  readonly abstractClass?: RegExp;
  readonly emptyClass?: RegExp;
  readonly isBodyOptional?: true;
  readonly isBodyBeside?: true;
}

const SCRIPT: Row = {
  functions: "function_declaration generator_function_declaration method_definition",
  lambdas: "arrow_function function_expression generator_function",
  named:
    "variable_declarator pair field_definition public_field_definition assignment_expression export_statement",
  classes: "class_declaration class abstract_class_declaration internal_module",
  blocks: "statement_block class_body",
  neutral: "import_statement decorator accessibility_modifier override_modifier export_clause",
  constructors: /\bconstructor\s*\(/,
  promotes: /\(\s*[\s\S]*\b(?:private|public|protected|readonly)\b/,
  emptyClass: /\bextends\b|\bimplements\b|@/,
};

const ROWS: Readonly<Record<string, Row>> = {
  bash: {
    functions: "function_definition",
    blocks: "compound_statement subshell",
    noop: /^(?::|true|return 0)$/,
  },
  c: {
    functions: "function_definition",
    blocks: "compound_statement",
    neutral: "preproc_include storage_class_specifier",
  },
  c_sharp: {
    functions:
      "method_declaration constructor_declaration local_function_statement operator_declaration",
    lambdas: "lambda_expression anonymous_method_expression",
    named:
      "variable_declarator variable_declaration field_declaration local_declaration_statement assignment_expression",
    classes: "class_declaration struct_declaration namespace_declaration",
    blocks: "block arrow_expression_clause declaration_list",
    neutral:
      "using_directive file_scoped_namespace_declaration attribute_list modifier extern_alias_directive",
    promotes: /\)\s*:\s*(?:base|this)\b/,
    emptyClass: /:\s*\w|\bstruct\b|\[|\(|\bpartial\b/,
  },
  cpp: {
    functions: "function_definition",
    lambdas: "lambda_expression",
    named: "init_declarator declaration",
    classes: "class_specifier struct_specifier namespace_definition linkage_specification",
    blocks: "compound_statement field_declaration_list declaration_list",
    neutral:
      "preproc_include using_declaration access_specifier template_parameter_list alias_declaration storage_class_specifier",
    constructors:
      /^(?:(?:explicit|inline|constexpr|virtual)\s+)*(?:[\w:<>]+::)?~?([A-Za-z_]\w*)\s*\(/,
    promotes: /\)[^{]*:\s*\w/,
    emptyClass: /:[^:]|\bstruct\b/,
  },
  dart: {
    functions: "function_body",
    lambdas: "function_expression",
    named: "initialized_identifier static_final_declaration initialized_variable_definition pair",
    classes: "class_definition extension_declaration mixin_declaration",
    blocks: "block function_body function_expression_body class_body extension_body",
    neutral:
      "import_or_export library_name part_directive annotation final_builtin const_builtin inferred_type",
    emptyClass: /\b(?:extends|implements|with|mixin|on)\b|@/,
    isBodyBeside: true,
  },
  elixir: {
    functions: "",
    blocks: "do_block",
    emptyClass: /^$/,
  },
  go: {
    functions: "function_declaration method_declaration",
    lambdas: "func_literal",
    named: "var_spec",
    blocks: "block statement_list",
    neutral: "package_clause import_declaration",
  },
  haskell: {
    functions: "function bind",
    blocks: "declarations instance_declarations class_declarations",
    neutral: "header imports import signature pragma",
    noop: /^undefined$/,
    comments: /comment|haddock/,
    emptyClass: /^/,
  },
  java: {
    functions: "method_declaration constructor_declaration compact_constructor_declaration",
    lambdas: "lambda_expression",
    named: "variable_declarator field_declaration local_variable_declaration assignment_expression",
    classes: "class_declaration",
    blocks: "block constructor_body class_body",
    neutral: "package_declaration import_declaration modifiers marker_annotation annotation",
    emptyClass: /\bextends\b|\bimplements\b|@/,
  },
  javascript: SCRIPT,
  kotlin: {
    functions: "function_declaration secondary_constructor anonymous_initializer",
    lambdas: "lambda_literal anonymous_function",
    named: "property_declaration",
    classes: "class_declaration object_declaration companion_object",
    blocks: "block function_body class_body",
    neutral: "package_header import annotation",
    promotes: /\)\s*:\s*(?:this|super)\b/,
    emptyClass: /:|\(|@|\b(?:interface|object|data|annotation|enum|sealed)\b/,
    isBodyOptional: true,
  },
  lua: {
    functions: "function_declaration",
    lambdas: "function_definition",
    named: "assignment_statement field",
    blocks: "block",
    isBodyOptional: true,
  },
  php: {
    functions: "function_definition method_declaration",
    lambdas: "anonymous_function arrow_function",
    named: "assignment_expression array_element_initializer",
    classes: "class_declaration trait_declaration",
    blocks: "compound_statement declaration_list",
    neutral:
      "php_tag declare_statement namespace_definition namespace_use_declaration attribute_list",
    constructors: /\b__(?:con|de)struct\b/,
    promotes: /\(\s*[\s\S]*\b(?:private|public|protected|readonly)\s+[?\w\\|]*\s*\$/,
    emptyClass: /\bextends\b|\bimplements\b|#\[/,
  },
  python: {
    functions: "function_definition",
    lambdas: "lambda",
    named: "assignment",
    classes: "class_definition",
    blocks: "block",
    neutral: "import_statement import_from_statement future_import_statement decorator",
    noop: /^(?:pass|\.\.\.|[rbuRBU]*(?:"""[\s\S]*"""|'''[\s\S]*'''|"[^"\n]*"|'[^'\n]*'))$/,
    handlers: "except_clause except_group_clause for_statement while_statement",
    constructors: /\bdef __init__\b/,
    abstract: /@(?:\w+\.)*(?:abstract\w+|overload)\b/,
    abstractClass: /\(\s*(?:[\w.]+\s*,\s*)*(?:typing\.|typing_extensions\.)?Protocol\b/,
    emptyClass: /\(\s*[\w.]|@/,
  },
  ruby: {
    functions: "method singleton_method",
    lambdas: "lambda",
    named: "assignment",
    classes: "class module singleton_class",
    blocks: "body_statement block do_block block_body",
    neutralText: /^(?:require|require_relative|load|private|protected|public|module_function)\b/,
    constructors: /\bdef initialize\b/,
    emptyClass: /<|\bmodule\b/,
    isBodyOptional: true,
  },
  rust: {
    functions: "function_item",
    lambdas: "closure_expression",
    named: "let_declaration const_item",
    classes: "impl_item mod_item",
    blocks: "block declaration_list",
    neutral:
      "use_declaration extern_crate_declaration attribute_item inner_attribute_item visibility_modifier",
    emptyClass: /\bfor\b/,
  },
  scala: {
    functions: "function_definition",
    lambdas: "lambda_expression",
    named: "val_definition",
    classes: "class_definition object_definition trait_definition package_object",
    blocks: "block template_body indented_block",
    neutral: "import_declaration package_clause annotation",
    emptyClass: /\bextends\b|\(|\btrait\b|\bobject\b|\bcase\b|@/,
  },
  swift: {
    functions: "function_declaration init_declaration deinit_declaration",
    lambdas: "lambda_literal",
    named: "property_declaration",
    classes: "class_declaration",
    blocks: "function_body statements class_body enum_class_body",
    neutral: "import_declaration modifiers attribute",
    abstract: /\binit\?\s*\(\s*coder\b/,
    emptyClass: /:|@|\b(?:struct|enum|actor)\b/,
  },
  tsx: SCRIPT,
  typescript: SCRIPT,
  zig: {
    functions: "function_declaration test_declaration",
    blocks: "block",
    neutral: "visibility_modifier",
  },
};

/**
 * The rule of each grammar that can have empty implementations; grammars of markup and data have
 * none.
 */
export const EMPTY_BODY_RULES: ReadonlyMap<string, EmptyBodyRule> = new Map(
  Object.entries(ROWS).map(([grammar, row]) => [grammar, toRule(row)]),
);

function toRule(row: Row): EmptyBodyRule {
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
