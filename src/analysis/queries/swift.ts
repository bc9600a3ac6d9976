/** Swift. */
import { keepFirstBranch } from "./load.ts";
import type { LanguageQuery } from "./language_query.ts";

const KINDS = ["class", "struct", "enum", "extension", "actor"].map((word) =>
  `(class_declaration declaration_kind: "${word}" name: (_) @name) @definition.${
    word === "actor" ? "class" : word
  }`
).join("\n");

/** The rules of the grammar. */
export const SWIFT: LanguageQuery = {
  tags: `
(comment) @doc
(multiline_comment) @doc
(simple_identifier) @reference.read
(type_identifier) @reference.type
(call_expression (simple_identifier) @reference.call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))
(assignment target: (directly_assignable_expression (simple_identifier) @reference.write))
(assignment target: (directly_assignable_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.write))))
(parameter name: (simple_identifier) @reference.write)
(value_argument_label (simple_identifier) @reference.write @member)
[(function_declaration) (init_declaration) (lambda_literal) (for_statement) (catch_block) (if_statement) (while_statement) (switch_entry) (do_statement)] @block
(parameter name: (simple_identifier) @bound)
(lambda_parameter name: (simple_identifier) @bound)
(for_statement item: (pattern (simple_identifier) @bound))
(_ bound_identifier: (simple_identifier) @bound)
(_ condition: (pattern (simple_identifier) @bound))
(navigation_expression target: (call_expression . (simple_identifier) @of) suffix: (navigation_suffix suffix: (simple_identifier) @member))
(import_declaration (identifier (simple_identifier) @reference.import))

(function_body) @local
(lambda_literal) @local
(computed_property) @local

${KINDS}
(class_declaration name: (_) @name (inheritance_specifier inherits_from: (_) @base)) @range
(protocol_declaration name: (type_identifier) @name) @definition.protocol
(protocol_declaration name: (type_identifier) @name (inheritance_specifier inherits_from: (_) @base)) @definition.protocol
(function_declaration name: [(simple_identifier) (custom_operator)] @name body: (_) @body) @definition.function
((function_declaration "func" . _ @name body: (_) @body) @definition.function (#match? @name "^[-+*/=<>!&|^~%?.]"))
(macro_declaration "macro" . (simple_identifier) @name (macro_definition)? @body) @definition.macro
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration "init" @name body: (_) @body) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property
(enum_entry name: (simple_identifier) @name) @definition.enumerator
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

(import_declaration (identifier) @import.module)
`,
  signsAfterName: true,
  repair: keepFirstBranch,
  separators: [".", "?.", "!."],
  isVisible: ({ header, kind }) =>
    kind === "extension" ? undefined : !/\b(?:private|fileprivate)\b/.test(header),
  aliasOf: (module) => module,
};
