/** Rust. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

/** The names of what an implementation is for, whatever stands round them. */
const NAMED = [
  "(type_identifier) @name",
  "(generic_type type: (type_identifier) @name)",
  "(scoped_type_identifier name: (_) @name)",
  "(generic_type type: (scoped_type_identifier name: (_) @name))",
  "(dynamic_type trait: (type_identifier) @name)",
  "(bounded_type (dynamic_type trait: (type_identifier) @name))",
  ...["primitive_type", "tuple_type", "array_type", "unit_type", "never_type"].map((one) =>
    `(${one}) @name`
  ),
];
const IMPLEMENTED = `[${NAMED.flatMap((one) => [one, `(reference_type type: ${one})`]).join(" ")}]`;

/** The rules of the grammar. */
export const RUST: LanguageQuery = {
  tags: `
(line_comment) @doc
(block_comment) @doc
(attribute_item) @prefix
[(identifier) (field_identifier) (shorthand_field_identifier)] @reference.read
(type_identifier) @reference.type
(lifetime (identifier) @ignore)
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(call_expression function: (scoped_identifier name: (identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @reference.call)))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @reference.call)))
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier name: (identifier) @reference.call))
(struct_expression name: (type_identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression field: (field_identifier) @reference.write))
(compound_assignment_expr left: (identifier) @reference.write)
(compound_assignment_expr left: (field_expression field: (field_identifier) @reference.write))
(field_initializer field: (field_identifier) @reference.write @member)
(field_pattern name: (field_identifier) @member)
(let_declaration pattern: (identifier) @reference.write)
(parameter pattern: (identifier) @reference.write)
(use_declaration argument: (scoped_identifier name: (identifier) @reference.import))
(use_list (identifier) @reference.import)
(use_list (scoped_identifier name: (identifier) @reference.import))
(use_as_clause path: (scoped_identifier name: (identifier) @reference.import))
(use_as_clause path: (identifier) @reference.import)
(use_as_clause alias: (identifier) @reference.import)
(extern_crate_declaration name: (identifier) @reference.import)

[(block) (function_item) (closure_expression) (match_arm) (for_expression) (if_expression) (while_expression)] @block
${
    [
      "let_declaration pattern:",
      "parameter pattern:",
      "for_expression pattern:",
      "let_condition pattern:",
      "closure_parameters",
    ]
      .map((holder) => `(${holder} (identifier) @bound)`).join("\n")
  }
(tuple_pattern (identifier) @bound)
(tuple_struct_pattern type: (_) (identifier) @bound)
(ref_pattern (identifier) @bound)
(mut_pattern (identifier) @bound)
(captured_pattern . (identifier) @bound)
(field_pattern name: (shorthand_field_identifier) @bound)
(field_pattern pattern: (identifier) @bound)
(match_pattern . (identifier) @bound . (#match? @bound "^[a-z_]"))

(function_item body: (_) @local)
(closure_expression body: (_) @local)

(function_item name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.function
(function_signature_item name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.enumerator
(field_declaration name: (field_identifier) @name) @definition.field
(trait_item name: (type_identifier) @name) @definition.trait
(trait_item name: (type_identifier) @name bounds: (trait_bounds (_) @base)) @definition.trait
(impl_item type: ${IMPLEMENTED}) @definition.implementation
(impl_item trait: (_) @base type: ${IMPLEMENTED}) @definition.implementation
(mod_item name: (identifier) @name) @definition.module
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name) @definition.macro

(use_declaration) @import.statement
(extern_crate_declaration name: (identifier) @import.module)
`,
  separators: [".", "::"],
  isVisible: ({ header, kind, parentKind }) => {
    if (kind === "implementation" || kind === "macro" || kind === "enumerator") return undefined;
    // What a trait or its implementation has is as visible as the trait.
    if (parentKind === "trait") return undefined;
    return /(?:^|[\s\]])pub\b/.test(header);
  },
  nameOf: (text, kind) => kind === "implementation" ? /[\w#]+/.exec(text)?.[0] ?? text : text,
  aliasOf: (module) => module,
  importsOf(statement) {
    const match = /^(pub(?:\s*\([^)]*\))?\s+)?use\s+([\s\S]*?);?$/.exec(statement);
    const tree = match?.[2] ?? "";
    const isReexport = match?.[1] !== undefined;
    return readUseTree(tree, statement.indexOf(tree)).map((part) => ({
      ...part,
      ...(isReexport ? { isReexport } : {}),
    }));
  },
};

/** The names of `a::{b, c::{self, d as e}, f::*}`, without recursion: braces put their prefix on a stack. */
function readUseTree(tree: string, begin: number): ImportPart[] {
  const parts: ImportPart[] = [];
  const prefixes: string[] = [""];
  for (const token of tree.matchAll(/([^{},]*)([{},]|$)/g)) {
    const path = (token[1] ?? "").trim();
    if (token[2] === "{") prefixes.push((prefixes.at(-1) ?? "") + path.replace(/\s/g, ""));
    else if (path !== "") parts.push(parsePart(prefixes.at(-1) ?? "", path, begin + token.index));
    if (token[2] === "}" && prefixes.length > 1) prefixes.pop();
  }
  return parts;
}

function parsePart(prefix: string, path: string, offset: number): ImportPart {
  const [whole = "", as] = path.split(/\s+as\s+/);
  const full = prefix + whole.replace(/\s/g, "");
  const at = full.lastIndexOf("::");
  const name = at < 0 ? full : full.slice(at + 2);
  const module = at < 0 ? "" : full.slice(0, at);
  if (name === "*") return { module, name: "*", alias: "", offset };
  if (name === "self") {
    return { module, name: null, alias: as ?? module.split("::").at(-1) ?? "", offset };
  }
  if (module === "") return { module: name, name: null, alias: as ?? name, offset };
  return { module, name, alias: as ?? name, offset };
}
