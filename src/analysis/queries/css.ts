/** CSS: selectors, custom properties and key frames. Names of classes and ids keep their sign. */
import type { LanguageQuery } from "./language_query.ts";

/** A selector may stand as deep as this in a compound one. */
const DEPTH = 4;

function selectors(leaf: string, kind: string): string {
  const shapes: string[] = [];
  for (let inner = leaf, depth = 0; depth < DEPTH; depth++, inner = `(_ ${inner})`) {
    shapes.push(`(rule_set (selectors ${inner})) @definition.${kind}`);
  }
  return shapes.join("\n");
}

const TAGS = `
(comment) @doc
${selectors("(class_selector (class_name) @name)", "class")}
${selectors("(id_selector (id_name) @name)", "id")}
(declaration (property_name) @name (#match? @name "^--")) @definition.property
(keyframes_statement (keyframes_name) @name) @definition.keyframes
((plain_value) @reference.read (#match? @reference.read "^--"))
(media_statement) @unit
(supports_statement) @unit
(rule_set) @unit
(import_statement (string_value (string_content) @import.module))
(import_statement (call_expression (arguments [(plain_value) (string_value)] @import.module)))
`;

const SIGNS: Readonly<Record<string, string>> = { class: ".", id: "#" };

/** The rules of the grammar. */
export const QUERY: LanguageQuery = {
  tags: TAGS,
  separators: [],
  nameOf: (text, kind) => `${SIGNS[kind] ?? ""}${text}`,
  aliasOf: () => "",
};
