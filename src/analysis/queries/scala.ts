/** Scala 2 and 3. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

const TYPES = [["class", "class"], ["object", "object"], ["trait", "trait"], ["enum", "enum"]].map(
  ([node, kind]) =>
    `(${node}_definition name: (_) @name) @definition.${kind}
(${node}_definition name: (_) @name extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)) @definition.${kind}`,
).join("\n");

/** The rules of the grammar. */
export const SCALA: LanguageQuery = {
  tags: `
(comment) @doc
(block_comment) @doc
[(identifier) (operator_identifier)] @reference.read
(interpolated_string_expression interpolator: (identifier) @ignore)
(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (field_expression field: (identifier) @reference.call)))
(instance_expression (type_identifier) @reference.call)
(instance_expression (generic_type type: (type_identifier) @reference.call))
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression field: (identifier) @reference.write))
(parameter name: (identifier) @reference.write)
[(function_definition) (block) (lambda_expression) (for_expression) (case_clause)] @block
(parameter name: (identifier) @bound)
(lambda_expression parameters: (identifier) @bound)
(enumerator . (identifier) @bound)
(field_expression value: (instance_expression (type_identifier) @of) field: (identifier) @member)
(import_declaration path: (identifier) @reference.import)
(namespace_selectors (identifier) @reference.import)
(arrow_renamed_identifier (identifier) @reference.import)

(function_definition body: (_) @local)
(lambda_expression) @local
(case_clause) @local

(package_clause name: (_) @name) @definition.package
(package_object name: (_) @name) @definition.object
${TYPES}
(class_definition name: (_) @name class_parameters: (_) @params) @definition.class
(class_parameter name: (identifier) @name) @definition.property
(function_definition name: (_) @name) @definition.function
(function_definition name: (_) @name parameters: (_) @params) @definition.function
(function_definition name: (_) @name return_type: (_) @result) @definition.function
(function_declaration name: (_) @name) @definition.function
(function_declaration name: (_) @name parameters: (_) @params) @definition.function
(function_declaration name: (_) @name return_type: (_) @result) @definition.function
(val_definition pattern: (identifier) @name) @definition.variable
(val_definition pattern: (identifiers (identifier) @name)) @definition.variable
(val_definition pattern: (tuple_pattern (identifier) @name)) @definition.variable
(val_declaration name: (identifier) @name) @definition.variable
(var_definition pattern: (identifier) @name) @definition.variable
(var_declaration name: (identifier) @name) @definition.variable
(given_definition name: (identifier) @name) @definition.variable
(type_definition name: (_) @name) @definition.type
(simple_enum_case name: (identifier) @name) @definition.enumerator
(full_enum_case name: (identifier) @name) @definition.enumerator

(import_declaration) @import.statement
`,
  isVisible: ({ header, kind }) =>
    kind === "package" ? undefined : !/\b(?:private|protected)\b/.test(header),
  importsOf(statement) {
    const list = statement.replace(/^import\s+/, "");
    const from = statement.length - list.length;
    const parts: ImportPart[] = [];
    for (const clause of list.matchAll(/(?:[^,{}]|\{[^}]*\})+/g)) {
      const offset = from + clause.index;
      const text = clause[0].trim();
      const match = /^([\w.$`]+?)\.(?:\{([\s\S]*)\}|([\w$*`]+)(?:\s+as\s+(\w+))?)$/.exec(text);
      const module = match?.[1];
      if (module === undefined) continue;
      const names = match?.[2]?.split(",") ??
        [`${match?.[3]}${match?.[4] ? ` as ${match[4]}` : ""}`];
      for (const one of names) parts.push(...parsePart(module, one.trim(), offset));
    }
    return parts;
  },
};

function parsePart(module: string, selector: string, offset: number): ImportPart[] {
  const [name = "", alias] = selector.split(/\s*(?:=>|\bas\b)\s*/);
  if (name === "" || alias === "_") return [];
  if (name === "_" || name === "*") return [{ module, name: "*", alias: "", offset }];
  return [{ module, name, alias: alias ?? name, offset }];
}
