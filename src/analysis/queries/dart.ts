/** Dart. Bodies stand beside their signatures in this grammar, so that two nodes make a definition. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

const SIGNATURES = [
  ["function_signature name: (identifier) @name (formal_parameter_list) @params", "function"],
  ["getter_signature name: (identifier) @name", "method"],
  ["setter_signature name: (identifier) @name (formal_parameter_list) @params", "method"],
];
const MEMBERS = [
  ...SIGNATURES.map(([node]) => [node, "method"]),
  ['operator_signature "operator" . _ @name (formal_parameter_list) @params', "operator"],
  ["constructor_signature name: (identifier) @name . parameters: (_) @params", "method"],
  ["factory_constructor_signature (identifier) @name . (formal_parameter_list) @params", "method"],
];
const BODIES = [
  ...SIGNATURES.map(([node, kind]) => `(program (${node}) @definition.${kind})`),
  ...SIGNATURES.map(([node, kind]) =>
    `(program (${node}) @definition.${kind} . (function_body) @until)`
  ),
  ...MEMBERS.map(([node, kind]) => `(method_signature (${node})) @definition.${kind}`),
  ...MEMBERS.map(([node, kind]) =>
    `((method_signature (${node})) @definition.${kind} . (function_body) @until)`
  ),
  ...MEMBERS.map(([node, kind]) => `(declaration (${node})) @definition.${kind}`),
  "(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list) @params)) @definition.method",
].join("\n");

/** The rules of the grammar. */
export const DART: LanguageQuery = {
  tags: `
(comment) @doc
(documentation_comment) @doc
(identifier) @reference.read
(identifier_dollar_escaped) @reference.read
(type_identifier) @reference.type
(annotation name: (identifier) @reference.call)
((identifier) @reference.call . (selector (argument_part)))
((selector (unconditional_assignable_selector (identifier) @reference.call)) . (selector (argument_part)))
((selector (conditional_assignable_selector (identifier) @reference.call)) . (selector (argument_part)))
(new_expression (type_identifier) @reference.call)
(const_object_expression (type_identifier) @reference.call)
(assignment_expression left: (assignable_expression . (identifier) @reference.write .))
(assignment_expression left: (assignable_expression (unconditional_assignable_selector (identifier) @reference.write) .))
(initialized_variable_definition name: (identifier) @reference.write)
(formal_parameter name: (identifier) @reference.write)
(named_argument (label (identifier) @member))
(combinator (identifier) @reference.import)

(function_body) @local
(function_expression_body) @local

(class_definition name: (identifier) @name) @definition.class
(class_definition name: (identifier) @name superclass: (superclass (type_identifier) @base)) @definition.class
(class_definition name: (identifier) @name superclass: (superclass (mixins (type_identifier) @base))) @definition.class
(class_definition name: (identifier) @name interfaces: (interfaces (type_identifier) @base)) @definition.class
(mixin_declaration . (mixin) . (identifier) @name) @definition.mixin
(extension_declaration name: (identifier) @name) @definition.extension
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.enumerator
(type_alias . (type_identifier) @name . "=") @definition.typedef
(type_alias . (type_identifier) @name . (type_parameters) . "=") @definition.typedef
(type_alias (type_identifier) @name . (formal_parameter_list)) @definition.typedef
(type_alias (type_identifier) @name . (type_parameters) . (formal_parameter_list)) @definition.typedef
${BODIES}
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.field
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.variable))
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.constant))

[(library_import) (library_export)] @import.statement
(part_directive (uri) @import.module)
(part_of_directive (uri) @import.module)
`,
  separators: [".", "?.", ".."],
  // The grammar takes an annotated or nameless library for an error up to the next declaration.
  repair: (text) => text.replace(/^library\b[^;\n]*;/gm, (line) => line.replace(/./g, " ")),
  isVisible: ({ name }) => !name.startsWith("_"),
  nameOf: (text, kind) => kind === "operator" ? `operator ${text}` : text.replace(/^\$/, ""),
  importsOf(statement) {
    const match = /^(import|export)\s+(["'])(.*?)\2([\s\S]*)$/.exec(statement);
    const module = match?.[3];
    if (module === undefined) return [];
    const rest = match?.[4] ?? "";
    const offset = 0;
    const isReexport = match?.[1] === "export";
    const kept = isReexport ? { isReexport } : {};
    const show = /\bshow\s+([\w\s,$]+)/.exec(rest)?.[1]?.replace(/\bhide\b[\s\S]*/, "");
    if (show !== undefined) {
      return show.split(",").map((one) => one.trim()).map((name): ImportPart => ({
        module,
        name,
        alias: isReexport ? "" : name,
        offset,
        ...kept,
      }));
    }
    const alias = /\bas\s+(\w+)/.exec(rest)?.[1] ?? "";
    return [{ module, name: "*", alias, offset, ...kept }];
  },
};
