/** Haskell. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const HASKELL: LanguageQuery = {
  tags: `
(comment) @doc
(haddock) @doc
(variable) @reference.read
(constructor) @reference.call
(name) @reference.type
(apply function: (variable) @reference.call)
(apply function: (qualified id: (variable) @reference.call))
(import_name variable: (variable) @reference.import)
(import_name type: (name) @reference.import)

(match) @local
(local_binds) @local
(let) @local

(header module: (module) @name) @definition.module
(declarations (signature name: (variable) @name) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (function (infix operator: (operator) @name)) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)
(class_declarations (signature name: (variable) @name type: (_) @params) @definition.method)
(instance_declarations (function name: (variable) @name) @definition.method)
(instance_declarations (bind name: (variable) @name) @definition.method)
(declarations (signature name: (variable) @name type: (_) @params) @definition.function)
(data_type name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(data_constructor constructor: (_ name: (constructor) @name)) @definition.constructor
(newtype_constructor name: (constructor) @name) @definition.constructor
(field name: (field_name (variable) @name)) @definition.field
(class name: (_) @name) @definition.class
(instance name: (_) @name) @definition.implementation

(import) @import.statement
`,
  joinsClauses: true,
  importsOf(statement) {
    const match =
      /^import\s+(?:safe\s+)?(?:qualified\s+)?(?:"[^"]*"\s+)?([\w.]+)(?:\s+qualified)?(?:\s+as\s+([\w.]+))?(?:\s+(hiding)?\s*\(([\s\S]*)\))?/
        .exec(statement);
    const module = match?.[1];
    if (module === undefined) return [];
    const names = match?.[3] === "hiding" ? undefined : match?.[4];
    const whole: ImportPart = { module, name: "*", alias: match?.[2] ?? "", offset: 0 };
    if (names === undefined) return [whole];
    const from = statement.length - names.length - 1;
    return [...names.matchAll(/(?:\([^()]*\)|[^,()]|\((?:[^()]|\([^()]*\))*\))+/g)].flatMap(
      (one) => {
        const name = one[0].replace(/^\s*(?:type\s+|pattern\s+)?/, "").replace(
          /\s*\((?:\.\.|[\w,\s']*)\)\s*$/,
          "",
        ).trim();
        return name === ""
          ? []
          : [{ module, name, alias: name, offset: Math.max(0, from + one.index) }];
      },
    );
  },
};
