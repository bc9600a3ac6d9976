/** Elixir. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

const DEF = `"def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp"`;
const MACRO = `"defmacro" "defmacrop"`;
const KNOWN = [
  "doc moduledoc typedoc spec type typep opaque callback macrocallback impl behaviour derive enforce_keys",
  "deprecated since shortdoc requirements recursive preferred_cli_env dialyzer compile before_compile after_compile on_definition external_resource optional_callbacks on_load vsn file",
].join(" ").split(" ").map((word) => `"${word}"`).join(" ");

/** The shapes of a function's head: with arguments, without, and either under a guard. */
function heads(words: string, kind: string): string {
  const bare = "(identifier) @name";
  const called = "(call target: (identifier) @name (arguments) @params)";
  const all = [
    called,
    bare,
    `(binary_operator left: ${called} operator: "when")`,
    `(binary_operator left: ${bare} operator: "when")`,
  ];
  return all.map((head) =>
    `(call target: (identifier) @_def (arguments . ${head}) (#any-of? @_def ${words})) @definition.${kind}`
  ).join("\n");
}

/** Module-like definitions by the word that begins them. */
function modules(word: string, kind: string): string {
  return `(call target: (identifier) @_def (arguments . (alias) @name) (#eq? @_def "${word}")) @definition.${kind}`;
}

/** The rules of the grammar. */
export const ELIXIR: LanguageQuery = {
  tags: `
(comment) @doc
(unary_operator operand: (call target: (identifier) @_attribute
  (#any-of? @_attribute "doc" "typedoc" "spec" "impl" "deprecated" "since"))) @prefix
(identifier) @reference.read
(alias) @reference.type
(call target: (identifier) @reference.call)
(call target: (dot right: (identifier) @reference.call) (arguments))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call operator: "/"))
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot right: (identifier) @reference.call)) operator: "/"))
(binary_operator left: (identifier) @reference.write operator: "=")
((call target: (identifier) @ignore) (#any-of? @ignore "defmodule" "def" "defp" "defmacro" "defmacrop" "defprotocol" "defimpl" "defdelegate" "defstruct" "defguard" "if" "case" "cond" "unless" "with" "for" "quote" "unquote" "alias" "import" "require" "use" "fn" "receive" "try" "raise"))
(call target: (identifier) @_import (arguments . (alias) @reference.import) (#any-of? @_import "alias" "import" "require" "use"))
(call target: (identifier) @_import (arguments . (dot right: (tuple (alias) @reference.import))) (#eq? @_import "alias"))

${modules("defmodule", "module")}
${modules("defprotocol", "protocol")}
${modules("defimpl", "implementation")}
(call target: (identifier) @_def (arguments . (alias) @name) (do_block (call target: (identifier) @_use (arguments . (alias) @base)))
  (#eq? @_def "defmodule") (#eq? @_use "use")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block (unary_operator operand: (call target: (identifier) @_use (arguments . (alias) @base))))
  (#eq? @_def "defmodule") (#eq? @_use "behaviour")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block (unary_operator operand: (call target: (identifier) @_doc (arguments (_) @docstring))))
  (#any-of? @_def "defmodule" "defprotocol") (#eq? @_doc "moduledoc")) @range
${heads(DEF, "function")}
${heads(MACRO, "macro")}
(call target: (identifier) @_test (arguments . (string (quoted_content) @name)) (#any-of? @_test "test" "describe")) @definition.test
(unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))
  (#any-of? @_type "type" "typep" "opaque")) @definition.type
(unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments . (binary_operator left: (call target: (identifier) @name (arguments) @params) operator: "::")))
  (#any-of? @_type "callback" "macrocallback")) @definition.callback
(do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)) (#not-any-of? @name ${KNOWN})) @definition.constant)

(call target: (identifier) @_import (#any-of? @_import "alias" "import" "require" "use")) @import.statement
`,
  isVisible: ({ header, kind }) =>
    kind === "function" || kind === "macro"
      ? !/\b(?:defp|defmacrop|defguardp|defnp)\b/.test(header)
      : undefined,
  importsOf(statement) {
    const match = /^(alias|import|require|use)[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?=[\s,)]|$)/.exec(
      statement,
    );
    const module = match?.[2];
    if (module === undefined || !/^[A-Z_]/.test(module)) return [];
    const offset = 0;
    const as = /\bas:\s*([\w.]+)/.exec(statement)?.[1];
    const inner = match?.[3];
    if (inner !== undefined) {
      return inner.split(",").map((one) => one.trim()).filter((one) => one !== "").map((one) =>
        parseAlias(`${module}.${one}`)
      );
    }
    const only = /\bonly:\s*\[([^\]]*)\]/.exec(statement)?.[1];
    if (match?.[1] === "import") {
      const names = [...(only ?? "").matchAll(/([\w?!]+):/g)].map((one) => one[1] ?? "");
      if (names.length === 0) return [{ module, name: "*", alias: "", offset }];
      return names.map((name) => ({ module, name, alias: name, offset }));
    }
    return [{ ...parseAlias(module), ...(as === undefined ? {} : { alias: as }) }];
  },
};

function parseAlias(module: string): ImportPart {
  return { module, name: null, alias: module.split(".").at(-1) ?? "", offset: 0 };
}
