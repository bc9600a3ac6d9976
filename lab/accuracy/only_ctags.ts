/** Why a tag of ctags is no definition of ours: rules in order, the first that holds counts. Pure. */
import type { DefinitionFacts, DifferenceKind } from "./definition_facts.ts";
import { toPattern } from "./definition_facts.ts";
import type { CtagsTag } from "./match_definitions.ts";

const RESERVED =
  /^(?:as|async|await|case|class|const|default|delete|do|else|enum|extends|false|for|from|function|if|import|in|infer|instanceof|interface|is|let|new|null|return|satisfies|static|switch|this|throw|true|type|typeof|var|void|while)$/;
const SCRIPT = /^(?:JavaScript|TypeScript|TSX)$/;
const C_FAMILY = /^C(?:\+\+)?$/;
const CALLABLE = /^(?:function|method|member|func|generator|getter|setter)$/;
const VALUE = /^(?:variable|constant|local|parameter)$/;

/** All kinds. */
export const ONLY_CTAGS: readonly DifferenceKind<CtagsTag, DefinitionFacts>[] = [
  {
    id: "made-up name",
    cause: "terms",
    text:
      "ctags numbers what has no name: lambdas, unnamed namespaces, enumerations, unions (`__anon…`).",
    holds: ({ name }) => /^(?:__anon|anonymous|AnonymousFunction)\w*$/.test(name),
  },
  {
    id: "import",
    cause: "terms",
    text: "ctags counts what an import brings in as a definition; the index keeps it as an import.",
    holds: (tag, facts) =>
      /^(?:unknown|namespace|alias|packageName)$/.test(tag.kind) &&
        /\b(?:import|from|use)\b/.test(facts.line(tag)) ||
      tag.kind === "packageName" || /^type \S+ as \w+,?$/.test(facts.line(tag)) ||
      facts.isImported(tag),
  },
  {
    id: "word of the language",
    cause: "theirs",
    text: "ctags takes a reserved word for a name (`extends`, `true`, `if`).",
    holds: ({ name }) => RESERVED.test(name),
  },
  {
    id: "name of an implementation",
    cause: "terms",
    text:
      "An `impl` of Rust for `()`, `!`, a tuple or `dyn T`: each takes another part of it for the name.",
    holds: ({ kind }) => kind === "implementation",
  },
  {
    id: "blank name",
    cause: "terms",
    text: "`_` alone names nothing to the index.",
    holds: ({ name }) => name === "_",
  },
  {
    id: "embedded type",
    cause: "terms",
    text:
      "A type embedded in a struct of Go is a member to ctags; the index keeps it as a base of the struct.",
    holds: ({ kind }) => kind === "anonMember",
  },
  {
    id: "counted twice",
    cause: "terms",
    text: "ctags has two tags for one definition; one of them is agreed on.",
    holds: (tag, facts) => facts.isPaired(tag),
  },
  {
    id: "name after a comment",
    cause: "theirs",
    text:
      "A comment in an initial value makes ctags begin anew: the name after it becomes a constant.",
    holds: (tag, facts) => facts.line(tag).includes(`*/ ${tag.name}`),
  },
  {
    id: "local variable",
    cause: "terms",
    text: "A variable inside a function or a block; the index keeps it as a mention.",
    holds: ({ kind, scopeKind, ...tag }, facts) =>
      VALUE.test(kind) &&
      (CALLABLE.test(scopeKind) || facts.isIndented(tag) || /^for\b/.test(facts.line(tag))) &&
      !C_FAMILY.test(facts.language(tag)),
  },
  {
    id: "key of an object",
    cause: "terms",
    text: "A key of an object literal, or a parameter on its own line, read as a member.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) && /^(?:property|constant|variable)$/.test(tag.kind) &&
      new RegExp(`(?:^|[({,\\s])${toPattern(tag.name)}\\??\\s*[:,})]`).test(facts.line(tag)),
  },
  {
    id: "part of a type",
    cause: "theirs",
    text: "ctags takes a name inside a type expression of TypeScript for a member.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) && /^(?:property|method)$/.test(tag.kind) &&
      /^\)?\s*(?::|=>)|\(/.test(facts.line(tag)),
  },
  {
    id: "part of an expression",
    cause: "theirs",
    text:
      "ctags takes the end of an expression for a declaration: flags of a regular expression, what follows `instanceof`, `keyof` or `:`.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) &&
      new RegExp(`(?:/|(?:instanceof|keyof|unique|of) )${toPattern(tag.name)}\\b`).test(
        facts.line(tag),
      ),
  },
  {
    id: "object as a class",
    cause: "theirs",
    text: "ctags takes a variable or a key with an object for a class of JavaScript.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) && tag.kind === "class" &&
      !/\bclass\b/.test(facts.line(tag)) &&
      new RegExp(`\\b${toPattern(tag.name)}\\s*[:=]\\s*\\{`).test(facts.line(tag)),
  },
  {
    id: "assigned value",
    cause: "terms",
    text:
      "A value given to a member (`app.locals.user = …`); the index keeps functions and classes only.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) && /^(?:property|variable|class)$/.test(tag.kind) &&
      new RegExp(`\\.${toPattern(tag.name)}\\s*=(?!=|\\s*(?:async\\b|function|class\\b|\\())`).test(
        facts.line(tag),
      ),
  },
  {
    id: "receiver or call",
    cause: "theirs",
    text: "ctags takes what stands before a dot or a bracket, or what is called, for a definition.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) &&
      new RegExp(`^(?:this\\.)?${toPattern(tag.name)}[[.(]`).test(facts.line(tag)),
  },
  {
    id: "wrong line",
    cause: "theirs",
    text: "The name does not stand on the line that ctags tells for JavaScript, but on the next.",
    holds: (tag, facts) =>
      SCRIPT.test(facts.language(tag)) && !facts.line(tag).includes(tag.name) &&
      facts.line({ ...tag, line: tag.line + 1 }).includes(tag.name),
  },
  {
    id: "inner name",
    cause: "terms",
    text: "The inner name of a function that is the value of a key; the index knows it by the key.",
    holds: (tag, facts) =>
      new RegExp(`\\w:\\s*function\\s+${toPattern(tag.name)}\\b`).test(facts.line(tag)),
  },
  {
    id: "annotation",
    cause: "theirs",
    text: "ctags takes the annotation of a constant for the constant (`@SerializedName(…) NAME`).",
    holds: (tag, facts) => facts.line(tag).includes(`@${tag.name}`),
  },
  {
    id: "use of a macro",
    cause: "theirs",
    text: "ctags takes the use of a macro for a function or a prototype (`TEST(a, b) {`).",
    holds: (tag, facts) =>
      C_FAMILY.test(facts.language(tag)) && /^(?:function|prototype|variable)$/.test(tag.kind) &&
      (facts.isMacro(tag.name) || /^[A-Z][A-Z0-9]*_[\w]*$/.test(tag.name)) &&
      new RegExp(`\\b${toPattern(tag.name)}\\s*\\(`).test(facts.line(tag)),
  },
  {
    id: "statement",
    cause: "theirs",
    text: "ctags takes a call or an expression for a declaration.",
    holds: (tag, facts) =>
      C_FAMILY.test(facts.language(tag)) && /^(?:prototype|variable|member)$/.test(tag.kind) &&
      /^[({]|^\w+\(.*\);$/.test(facts.line(tag)),
  },
  {
    id: "broken by macros",
    cause: "ours",
    text:
      "Macros make the text unreadable to the grammar; the definition is missing from the index.",
    holds: (tag, facts) => C_FAMILY.test(facts.language(tag)) && facts.isPartial(tag),
  },
];
