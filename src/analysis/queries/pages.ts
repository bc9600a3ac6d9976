/** HTML, Svelte, Vue and CSS: elements with an id and elements of the project's own are symbols; scripts and styles are read too. */
import type { LanguageQuery } from "./language_query.ts";

/** Patterns of elements that HTML, Vue and Svelte share. */
export const MARKUP_TAGS = `
(comment) @doc
(element (start_tag (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]) (#eq? @_id "id"))) @definition.id
(element (self_closing_tag (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]) (#eq? @_id "id"))) @definition.id
(attribute (attribute_name) @_class [(quoted_attribute_value (attribute_value) @classes) (attribute_value) @classes] (#eq? @_class "class"))
(element (start_tag (tag_name) @_tag) (#match? @_tag "^(?:section|article|nav|header|footer|main|form|aside|table|dialog|body|head)$|^x-")) @unit
(script_element (start_tag) @embed.tag (raw_text) @embed.script)
(style_element (start_tag) @embed.tag (raw_text) @embed.style)
`;

const HTML_TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "-"))
(element (start_tag (tag_name) @name) (#match? @name "-")) @definition.element
(element (self_closing_tag (tag_name) @name) (#match? @name "-")) @definition.element
(script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_src "src")))
(element (start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_link "link") (#eq? @_href "href")))
(element (self_closing_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_link "link") (#eq? @_href "href")))
`;

/** The rules of the grammar. */
export const HTML: LanguageQuery = { tags: MARKUP_TAGS + HTML_TAGS, separators: [] };

const SVELTE_TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "[A-Z-]"))
(svelte_raw_text) @embed.expression
`;

/** The rules of the grammar. */
export const SVELTE: LanguageQuery = { tags: MARKUP_TAGS + SVELTE_TAGS, separators: [] };

const VUE_TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "[A-Z-]"))
(interpolation (raw_text) @embed.expression)
(directive_attribute (quoted_attribute_value (attribute_value) @embed.expression))
(template_element) @unit
`;

/** The rules of the grammar. */
export const VUE: LanguageQuery = { tags: MARKUP_TAGS + VUE_TAGS, separators: [] };

/** A selector may stand as deep as this in a compound one. */
const DEPTH = 4;

function selectors(leaf: string, kind: string): string {
  const shapes: string[] = [];
  for (let inner = leaf, depth = 0; depth < DEPTH; depth++, inner = `(_ ${inner})`) {
    shapes.push(`(rule_set (selectors ${inner})) @definition.${kind}`);
  }
  return shapes.join("\n");
}

const SIGNS: Readonly<Record<string, string>> = { class: ".", id: "#" };

/** The rules of the grammar. */
export const CSS: LanguageQuery = {
  tags: `
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
`,
  separators: [],
  nameOf: (text, kind) => `${SIGNS[kind] ?? ""}${text}`,
  aliasOf: () => "",
};
