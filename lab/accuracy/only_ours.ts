/** Why a definition of ours has no tag of ctags: rules in order, the first that holds counts. Pure. */
import type { DefinitionFacts, DifferenceKind } from "./definition_facts.ts";
import { toPattern } from "./definition_facts.ts";
import type { OurSymbol } from "./match_definitions.ts";

const C_FAMILY = /^C(?:\+\+)?$/;
const SCRIPT = /^(?:JavaScript|TypeScript|TSX)$/;

/** Kinds that the parsers of ctags do not have, by language. */
const UNKNOWN: Readonly<Record<string, RegExp>> = {
  Rust: /^(?:constant|union)$/,
  "C++": /^(?:concept|type)$/,
  C: /^(?:concept|type)$/,
  Bash: /^variable$/,
};

/** All kinds. */
export const ONLY_OURS: readonly DifferenceKind<OurSymbol, DefinitionFacts>[] = [
  {
    id: "other branch",
    cause: "terms",
    text: "In `#else` or `#if 0`: ctags reads one branch of a condition, the index all.",
    holds: (symbol, facts) => C_FAMILY.test(facts.language(symbol)) && facts.isOtherBranch(symbol),
  },
  {
    id: "use of a macro",
    cause: "ours",
    text:
      "The index takes the use of a macro for a definition, since the grammar does not know macros.",
    holds: (symbol, facts) =>
      C_FAMILY.test(facts.language(symbol)) && symbol.kind !== "macro" &&
      (facts.isMacro(symbol.name) || /^[A-Z][A-Z0-9]*_[\w]*$/.test(symbol.name)),
  },
  {
    id: "initializer or call",
    cause: "ours",
    text:
      "A member that a constructor sets, a call or the base of an enumeration is taken for a definition: a macro near it confuses the grammar.",
    holds: (symbol, facts) =>
      C_FAMILY.test(facts.language(symbol)) &&
      (/\benum\s*:/.test(facts.line(symbol)) ||
        /^(?:method|function|property|variable|field)$/.test(symbol.kind) &&
          new RegExp(`[:,]\\s*${toPattern(symbol.name)}\\s*\\(`).test(facts.line(symbol))),
  },
  {
    id: "unknown to ctags",
    cause: "theirs",
    text:
      "A kind of definition that the parser of ctags does not have: constants and unions of Rust, aliases of C++, variables of the shell.",
    holds: (symbol, facts) => UNKNOWN[facts.language(symbol)]?.test(symbol.kind) ?? false,
  },
  {
    id: "default export",
    cause: "terms",
    text: "What a module passes on without a name is `default` to the index.",
    holds: (symbol, facts) => symbol.name === "default" && SCRIPT.test(facts.language(symbol)),
  },
  {
    id: "field of a variant",
    cause: "theirs",
    text: "ctags does not read the fields of enumeration variants and the components of records.",
    holds: (symbol, facts) =>
      symbol.kind === "field" &&
      (facts.holders(symbol)[0]?.kind === "enumerator" || facts.isRecord(symbol)),
  },
  {
    id: "name of an implementation",
    cause: "terms",
    text: "An `impl` of Rust whose name ctags takes from another part of it.",
    holds: ({ kind }) => kind === "implementation",
  },
  {
    id: "field of an unnamed type",
    cause: "theirs",
    text:
      "A field of a struct of Go that stands inside another type (`[]struct{…}`), which ctags passes over.",
    holds: (symbol, facts) => facts.language(symbol) === "Go" && symbol.kind === "field",
  },
  {
    id: "inside a function",
    cause: "theirs",
    text: "A type, function or member inside the body of a function, which ctags passes over.",
    holds: (symbol, facts) =>
      !isDoubtful(symbol, facts) &&
        facts.holders(symbol).some(({ kind }) =>
          /^(?:function|method|constant|variable)$/.test(kind)
        ) ||
      !isDoubtful(symbol, facts) && facts.isInFunction(symbol),
  },
  {
    id: "inside a call",
    cause: "theirs",
    text:
      "A definition in a function without a name (a callback, a test), which ctags passes over.",
    holds: (symbol, facts) =>
      symbol.parent === null && facts.isIndented(symbol) && !isDoubtful(symbol, facts),
  },
  {
    id: "assigned export",
    cause: "theirs",
    text: "A value that a module of JavaScript passes on (`exports.name = …`).",
    holds: (symbol, facts) =>
      SCRIPT.test(facts.language(symbol)) && /^(?:module\.)?exports\b/.test(facts.line(symbol)),
  },
  {
    id: "assigned function",
    cause: "theirs",
    text: "A function that is assigned to a member, or a method of an object literal.",
    holds: (symbol, facts) => SCRIPT.test(facts.language(symbol)) && symbol.kind === "method",
  },
  {
    id: "inside of what ctags misses",
    cause: "theirs",
    text: "A member of a type that ctags does not have.",
    holds: (symbol, facts) => facts.holders(symbol).some((holder) => facts.isOnlyOurs(holder)),
  },
  {
    id: "seen by the rules too",
    cause: "theirs",
    text:
      "A definition that ctags misses; rules on single lines, a third way, see it at the same place.",
    holds: (symbol, facts) => facts.isSeenByRules(symbol),
  },
  {
    id: "written as a definition",
    cause: "theirs",
    text:
      "A definition that ctags misses; the line has the form of one: a word such as `class`, or a type and the name.",
    holds: (symbol, facts) => hasForm(symbol, facts.line(symbol)),
  },
  {
    id: "misread",
    cause: "ours",
    text:
      "Macros and words that the grammar does not know make it take a type or a word of the language for a name.",
    holds: (symbol, facts) => C_FAMILY.test(facts.language(symbol)),
  },
];

/** Where macros break the grammar, its word alone is no proof. */
function isDoubtful(symbol: OurSymbol, facts: DefinitionFacts): boolean {
  return C_FAMILY.test(facts.language(symbol)) && facts.isPartial(symbol);
}

function hasForm({ name }: OurSymbol, line: string): boolean {
  const plain = toPattern(name);
  return new RegExp(
    `\\b(?:class|struct|enum|union|record|interface|namespace|module|type|typedef|using|def|fn|func|function|const|let|var|static|macro_rules!|impl)\\b.*${plain}|` +
      `^(?:(?:public|private|protected|readonly|static|declare|override|async|get|set)\\s+)*["']?${plain}["']?[?!]?\\s*(?:[:(<=]|$)|[\\w>\\]&*]\\s+[*&]*${plain}\\s*[(;={[]`,
  ).test(line);
}
