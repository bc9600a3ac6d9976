/** C and C++. A name may stand deep in its declarator: `*(*name)(int)`. Each node with something inside is
 * dear to compile in these grammars, so one pattern has all shapes of a declarator.
 */
import type { LanguageQuery } from "./language_query.ts";

/** One of some patterns. None of them may be such a choice itself: tree-sitter would lose all but its first. */
export function oneOf(...patterns: readonly string[]): string {
  return `[${patterns.join(" ")}]`;
}

/** A declarator behind a star. */
export function pointer(inner: string): string {
  return `(pointer_declarator declarator: ${inner})`;
}

/** A declarator of an array. */
export function array(inner: string): string {
  return `(array_declarator declarator: ${inner})`;
}

/** A pointer to a function, as what is called. */
function called(inner: string): string {
  return `(parenthesized_declarator ${pointer(inner)})`;
}

/** The shapes in which a declarator holds a pattern: plain, and behind one or two stars. */
function declared(inner: string): string[] {
  return [inner, pointer(oneOf(inner, pointer(inner)))];
}

/** The shapes of a name that is no function's: also an array, and an array of pointers. */
function named(name: string): string[] {
  return [name, array(name), pointer(oneOf(name, pointer(name), array(name)))];
}

/** What is declared, with or without its first value. */
export function initialized(shapes: readonly string[]): string {
  return oneOf(...shapes, `(init_declarator declarator: ${oneOf(...shapes)})`);
}

const NAME = "(identifier) @name";
const VARIABLE = [
  ...named(NAME),
  `(function_declarator declarator: ${called(oneOf(NAME, array(NAME)))})`,
];
const MEMBER = "(field_identifier) @name";
const FIELD = oneOf(...named(MEMBER), `(function_declarator declarator: ${called(MEMBER)})`);
const TYPE = "(type_identifier) @name";
const TYPEDEF = oneOf(
  ...declared(TYPE),
  array(TYPE),
  `(function_declarator declarator: ${oneOf(TYPE, called(TYPE))})`,
);
const BOUND = "(identifier) @bound";

/** Patterns of C that hold in C++ too. */
export const C_TAGS = `
(comment) @doc
[(identifier) (field_identifier)] @reference.read
(type_identifier) @reference.type
(call_expression function: [(identifier) @reference.call (field_expression field: (field_identifier) @reference.call)])
(assignment_expression left: [(identifier) @reference.write (field_expression field: (field_identifier) @reference.write)])
(update_expression argument: [(identifier) @reference.write (field_expression field: (field_identifier) @reference.write)])
(init_declarator declarator: (identifier) @reference.write)
(parameter_declaration declarator: [(identifier) @reference.write (pointer_declarator declarator: (identifier) @reference.write)])
(field_designator (field_identifier) @reference.write @member)

[(compound_statement) (function_definition) (for_statement)] @block
(parameter_declaration declarator: ${oneOf(...declared(BOUND), array(BOUND))})

(function_definition body: (_) @local)

(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name parameters: (_) @params) @definition.macro
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.enumerator
(declaration declarator: ${initialized(VARIABLE)}) @definition.variable
(function_declarator declarator: (identifier) @name parameters: (_) @params) @definition.function
(function_definition declarator: ${oneOf(...declared("(function_declarator) @inner"))}) @outer
(declaration declarator: ${
  oneOf(...declared("(function_declarator declarator: (identifier) @name) @inner"))
}) @definition.prototype @outer
(field_declaration declarator: ${FIELD}) @definition.field
(type_definition declarator: ${TYPEDEF}) @definition.typedef

(preproc_def value: (preproc_arg) @words)
(preproc_function_def value: (preproc_arg) @words)

(preproc_include path: [(system_lib_string) (string_literal)] @import.module)
`;

/** What an include brings: everything, under its own names. */
export function toIncludeAlias(): string {
  return "";
}

const MACRO = "[A-Z][A-Z0-9_]{3,}(?:[ \\t]*\\([^()\\n]*\\))?";
const UNDERSCORED = "[A-Z][A-Z0-9]*_[A-Z0-9_]*\\b";
/** A macro before a definition, or alone on its line unless that ends an enumeration or a macro: it marks what follows. */
const MARKING_MACRO = new RegExp(
  `^(?<!\\\\\\r?\\n)(?<lead>[ \\t]*)(?<macro>${MACRO}(?:[ \\t]+${UNDERSCORED}(?=[ \\t]))*)(?=[ \\t]*(?:\\r?$(?!\\s*\\})|[ \\t](?:class|struct|enum|namespace|template|inline|static|constexpr|` +
    "typedef|using|extern|virtual|explicit|friend|auto|const|void|int|bool|char|unsigned|[\\w:]+[ \\t*&]+\\w+[ \\t]*[(;=])))",
  "gm",
);
/** A macro before a constructor, a destructor or a conversion. A name without an underscore could be a type. */
const HEAD_MACRO = new RegExp(
  `^(?<lead>[ \\t]*(?:(?:explicit|constexpr|inline|template)[ \\t]+)*)(?<macro>${UNDERSCORED}(?:[ \\t]+${UNDERSCORED})*)(?=[ \\t]+(?:~?\\w+[ \\t]*\\(|operator\\b))`,
  "gm",
);
/** A macro between the word that begins a type and its name: `class API Name`. */
const TYPE_MACRO = new RegExp(
  `\\b(?<lead>class|struct)(?<macro>[ \\t]+${MACRO})(?=[ \\t]+\\w)`,
  "g",
);

/** A macro between the parameters of a function and its body: it says something about locks or warnings. */
const TRAILING_MACRO = new RegExp(
  `(?<lead>\\)\\s*(?:const\\s+)?(?:override\\s+)?)(?<macro>${MACRO})(?=\\s*(?:\\{|;|=\\s*0))`,
  "g",
);
/** A macro of a kernel or a C library between the type of a function and its name: `int __init start(void)`. */
const UNDERSCORE_MACRO =
  /(?<lead>^[^\n#=(]*[\w*][ \t]+)(?<macro>__[a-z_]+(?:[ \t]+__[a-z_]+)*)(?=[ \t]+\*?[A-Za-z]\w*[ \t]*\()/gm;
/** A definition of a macro with all the lines that it goes on to, and in it what may hold a comment. */
const MACRO_TEXT = /^[ \t]*#[ \t]*define\b(?:\\\r?\n|.)*/gm;
const COMMENT_OR_STRING = /"(?:\\.|[^"\\])*"|\/\*[\s\S]*?\*\//g;

/**
 * Blanks macros that only mark what follows: without its preprocessor the grammar takes them for types. And
 * comments in bodies of macros: the grammar ends the macro there.
 */
export function blankMacros(text: string): string {
  const blank = (_whole: string, lead: string, macro: string) => lead + " ".repeat(macro.length);
  return text.replace(MARKING_MACRO, blank).replace(HEAD_MACRO, blank).replace(TYPE_MACRO, blank)
    .replace(TRAILING_MACRO, blank).replace(UNDERSCORE_MACRO, blank)
    .replace(
      MACRO_TEXT,
      (macro) =>
        macro.replace(
          COMMENT_OR_STRING,
          (part) => part.startsWith("/") ? part.replace(/[^\\\r\n]/g, " ") : part,
        ),
    );
}

/** The rules of the grammar. */
export const C: LanguageQuery = {
  tags: C_TAGS,
  separators: [".", "->"],
  isVisible: ({ header, kind, parentKind }) =>
    parentKind === "" && /^(?:function|prototype|variable)$/.test(kind)
      ? !/\bstatic\b/.test(header)
      : undefined,
  repair: blankMacros,
  aliasOf: toIncludeAlias,
};

const FUNCTION = "(function_declarator) @inner";
const REFERENCED = oneOf(FUNCTION, pointer(FUNCTION), `(reference_declarator ${FUNCTION})`);
const LAST =
  "[(identifier) (destructor_name) (operator_name) (template_function name: (identifier))] @name";
const OUTSIDE = `(qualified_identifier scope: (_) @scope name: ${LAST})`;
const METHOD = oneOf(
  ...["field_identifier", "destructor_name", "operator_name"].map((node) => `(${node}) @name`),
  OUTSIDE,
  `(qualified_identifier name: ${oneOf(OUTSIDE, `(qualified_identifier name: ${OUTSIDE})`)})`,
);
const METHODS = [
  `(function_declarator declarator: ${METHOD} parameters: (_) @params) @definition.method`,
  ...["field_declaration", "function_definition", "declaration"].map((node) =>
    `(${node} declarator: ${REFERENCED}) @outer`
  ),
].join("\n");
/** Static members where they are made: outside of their class. */
const OUTER_NAME = "(qualified_identifier scope: (_) @scope name: (identifier) @name)";
const STATIC = [OUTER_NAME, pointer(OUTER_NAME), array(OUTER_NAME)];
const WRAPPED = [
  "function_definition",
  "declaration",
  "class_specifier",
  "struct_specifier",
  "alias_declaration",
  "concept_definition",
];

const CPP_TAGS = `
(namespace_identifier) @reference.read
(call_expression function: [
  (qualified_identifier name: [(identifier) @reference.call (qualified_identifier name: (identifier) @reference.call)
    (template_function name: (identifier) @reference.call)])
  (template_function name: (identifier) @reference.call)
  (field_expression field: (template_method name: (field_identifier) @reference.call))])
(new_expression type: (type_identifier) @reference.call)
(field_initializer (field_identifier) @reference.write)
[(lambda_expression) (catch_clause) (for_range_loop) (if_statement) (while_statement) (switch_statement)] @block
(parameter_declaration declarator: (reference_declarator (identifier) @bound))
(optional_parameter_declaration declarator: [(identifier) @bound (pointer_declarator declarator: (identifier) @bound) (reference_declarator (identifier) @bound)])
(for_range_loop declarator: [(identifier) @bound (reference_declarator (identifier) @bound) (pointer_declarator declarator: (identifier) @bound)])
(structured_binding_declarator (identifier) @bound)
(lambda_expression body: (_) @local)

(namespace_definition name: (_) @name) @definition.namespace
(class_specifier name: (_) @name body: (_)) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (type_identifier) @name (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.class
(struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.struct
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.concept
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(declaration declarator: ${initialized(STATIC)}) @definition.variable
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @definition.variable
(field_declaration declarator: (pointer_declarator declarator: (reference_declarator (field_identifier) @name))) @definition.field
(type_definition declarator: (reference_declarator (type_identifier) @name)) @definition.typedef
(function_definition declarator: (operator_cast) @name) @definition.method
(declaration declarator: (operator_cast) @name) @definition.method
(function_definition declarator: (qualified_identifier scope: (_) @scope name: (operator_cast) @name)) @definition.method
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name) @inner)) @definition.prototype @outer
(function_declarator declarator: (template_function) @name parameters: (_) @params) @definition.function
${METHODS}
${WRAPPED.map((node) => `(template_declaration (${node}) @inner) @outer`).join("\n")}
(using_declaration (qualified_identifier) @import.module)
`;

/** Kinds whose names may have template arguments. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(["method", "function", "class", "struct"]);

/** The rules of the grammar. */
export const CPP: LanguageQuery = {
  tags: C_TAGS + CPP_TAGS,
  separators: [".", "->", "::"],
  nameOf: (text, kind) =>
    /^operator\b/.test(text)
      ? text.replace(/^operator\s+(?=\W)/, "operator").replace(
        /^(operator\s[\s\S]*\S)\s*\(\s*\)[\s\S]*$/,
        "$1",
      )
      : PLAIN_KINDS.has(kind)
      ? text.replace(/\s*<[\s\S]*$/, "")
      : text,
  repair: blankMacros,
  isVisible: ({ header, kind, parentKind }) =>
    /^(?:namespace)?$/.test(parentKind) && /^(?:function|prototype|variable)$/.test(kind)
      ? !/\bstatic\b/.test(header)
      : undefined,
  aliasOf: toIncludeAlias,
};
