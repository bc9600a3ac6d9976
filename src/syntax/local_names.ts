/** Finds the names that a function gives to its local variables. Pure. */
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
