/** JavaScript, with elements. */
import type { LanguageQuery } from "./language_query.ts";
import { BOUND, isScriptVisible, JSX_TAGS, SCRIPT_TAGS, toScriptName } from "./script.ts";

const CLASS_TAGS = `
(class_declaration name: (identifier) @name) @definition.class
(class_declaration name: (identifier) @name (class_heritage (_) @base)) @definition.class
(class_heritage (identifier) @reference.type)
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.property
(field_definition property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function parameters: (_) @params) (function_expression parameters: (_) @params)]) @definition.method
(formal_parameters (identifier) @reference.write)
(formal_parameters ${BOUND})
(formal_parameters (identifier) @untyped)
(field_definition property: [(property_identifier) (private_property_identifier)] @typed value: (_) @value)
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = {
  tags: SCRIPT_TAGS + JSX_TAGS + CLASS_TAGS,
  spelling: "script",
  nameOf: toScriptName,
  isVisible: isScriptVisible,
};
