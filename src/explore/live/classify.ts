/**
 * What a place does with a name, told from the code around it on its line: definition, call, import,
 * type, write or read. Rules by language family, not a parser: a guess that is right for ordinary code. Pure.
 */
import type { Language } from "../../language/mod.ts";
import type { ReferenceKind } from "../../analysis/mod.ts";
import type { Around } from "./defining.ts";
import { isDefining } from "./defining.ts";

/** A mention of a name in code. */
export interface Mention {
  /** Lines of the file with comments and strings blanked. */
  readonly lines: readonly string[];
  /** 0-based line. */
  readonly index: number;
  /** 0-based range in the line. */
  readonly start: number;
  readonly end: number;
  readonly language: Language;
}

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\b|using\b|@(?:use|import|forward)\b|require(?:_relative|_once)?\b|include(?:_once)?\b|#\s*include\b|alias\b|extern\s+crate\b|pub\s+use\b|open\s+import\b|package\b|const\s+\S+\s*=\s*require\b)/;
const IMPORT_FROM =
  /^\s*(?:export\s+(?:type\s+)?[{*].*\bfrom\b|(?:const|let|var)\s+.*=\s*(?:await\s+)?(?:require|import)\s*\()/;
const IMPORT_OPENS =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\b|export\s+(?:type\s+)?\{)[^;)}]*$/;
const COLON_TYPES = new Set([
  "Python",
  "TypeScript",
  "TSX",
  "Vue",
  "Svelte",
  "Kotlin",
  "Swift",
  "Rust",
  "Scala",
  "Zig",
]);
const DECLARING = new Set(["Java", "C", "C++", "C#", "Dart"]);
/** What stands before a type that a name follows: the start, a bracket, a modifier, an annotation. */
const DECLARATION =
  /(?:^|[({;,<\])]|@[\w.]+|\b(?:const|static|final|public|private|protected|internal|readonly|volatile|unsigned|extern|inline|abstract|override|virtual|async|ref|out|var|sealed|required|late|register|typedef|struct|enum|union|mutable|constexpr|case|foreach))\s*$/;
const TUPLES = new Set(["Python", "Ruby", "Go"]);
const NO_GO_NAME =
  /(?:^|[^\w])(?:return|case|go|defer|range|if|for|else|switch|goto|func|import|package|var|const)\s+$/;
const TYPE_WORDS =
  /(?:\b(?:extends|implements|instanceof|satisfies|throws|with|impl|dyn|struct|enum|class|interface|trait|protocol|conforms|where|is|as)\s+|->\s*&?\s*|@)$/;

/** The kind of a mention that is code and that no list of definitions holds. */
export function classifyMention(mention: Mention): ReferenceKind {
  const line = mention.lines[mention.index] ?? "";
  const before = line.slice(0, mention.start);
  const after = line.slice(mention.end);
  const name = line.slice(mention.start, mention.end);
  if (isImport(mention, line)) return "import";
  if (isDefining(mention.language, { before, after })) return "definition";
  if (isType(mention.language, name, { before, after })) return "type";
  if (isCall(mention.language, name, { before, after })) return "call";
  if (isWrite(mention.language, { before, after })) return "write";
  return "read";
}

function isImport(mention: Mention, line: string): boolean {
  // `use` is a word of PHP closures too, and `with`, `include` are calls elsewhere.
  if (IMPORT.test(line) && !/\bimport\s*\(/.test(line)) return true;
  if (IMPORT_FROM.test(line)) return true;
  for (let index = mention.index - 1; index >= Math.max(0, mention.index - 40); index--) {
    const earlier = mention.lines[index] ?? "";
    if (IMPORT_OPENS.test(earlier)) return /[{(]/.test(earlier);
    if (/[;})]|\bfrom\b/.test(earlier)) return false;
  }
  return false;
}

function isType(language: Language, name: string, { before, after }: Around): boolean {
  const looksLikeType = /^\p{Lu}/u.test(name);
  if (/\bnew\s+$/.test(before)) return false;
  if (isDecorator(language, before)) return false;
  if (language.name === "Python" && /^\s*class\s+\w+\([^)]*$/.test(before)) return true;
  if (language.name === "Python" && !looksLikeType) return /->\s*$/.test(before);
  if (language.name === "Python" && /\bexcept\s+\(?[\w\s,.]*$/.test(before)) return true;
  if (language.name === "Ruby") return /^\s*class\s+[\w:]+\s*<\s*[\w:]*$/.test(before);
  if (TYPE_WORDS.test(before) && (looksLikeType || !before.endsWith("@"))) {
    // Decorators and annotations are calls where they have arguments.
    return !(before.endsWith("@") && /^\s*\(/.test(after));
  }
  if (
    looksLikeType && COLON_TYPES.has(language.name) &&
    /:\s*(?:[&*]|mut\s+|readonly\s+|[\w.]+\s*[|&]\s*|[\w.]+[<[])*$/.test(before)
  ) {
    return true;
  }
  if (
    looksLikeType && /[\w<,]\s*[<,]\s*$/.test(before) && /^\s*[>,]/.test(after) &&
    /<[^<>()]*$/.test(before)
  ) return true;
  if (looksLikeType && language.name === "Rust" && /^::/.test(after)) return true;
  if (DECLARING.has(language.name)) return isDeclaring(looksLikeType, { before, after });
  if (language.name === "Go") return isGoType(looksLikeType, { before, after });
  return language.name === "PHP" &&
    (/\)\s*:\s*\??$/.test(before) || /^\s+(?:&\s*|\.\.\.\s*)*\$/.test(after));
}

/** `Name x`, `Name<T> x`, `Name *x`; `a * b` between spaces is a product. */
function isDeclaring(looksLikeType: boolean, { before, after }: Around): boolean {
  if (!/^(?:<[^<>]*>)?\s*(?:[*&]+\s*|\[\]\s*|\.\.\.\s*|\s)[\p{L}_]/u.test(after)) return false;
  if (/^\s+(?:instanceof|is|as|in|of|and|or)\b/.test(after)) return false;
  if (!DECLARATION.test(before)) return false;
  return looksLikeType || !/^\s+[*&]+\s/.test(after);
}

/** A type behind a name or a bracket, or before a literal: Go writes the name first. */
function isGoType(looksLikeType: boolean, { before, after }: Around): boolean {
  if (/^\{/.test(after) && looksLikeType) return true;
  if (!/^\s*(?:[{,)=`]|$)/.test(after)) return false;
  if (/(?:\[\w*\]|\bchan\s+|\.\.\.)\*?$/.test(before)) return true;
  if (looksLikeType && /[*&(]$/.test(before)) return true;
  const named = /^(.*[\w)]\s+)\*?$/.exec(before)?.[1];
  return named !== undefined && !NO_GO_NAME.test(named) && !/=/.test(before);
}

/** `@name` before a definition runs the name, save in languages whose annotations are types. */
function isDecorator(language: Language, before: string): boolean {
  return /^\s*@(?:[\w.]+\.)?$/.test(before) &&
    ["Python", "JavaScript", "TypeScript", "TSX", "Vue", "Svelte"].includes(language.name);
}

function isCall(language: Language, name: string, { before, after }: Around): boolean {
  if (/^\s*(?:::)?(?:<[^<>()=;]*>)?\s*(?:\?\.)?\(/.test(after)) return true;
  if (/\bnew\s+(?:[\w\\]+[.\\])*$/.test(before)) return true;
  if (isDecorator(language, before)) return true;
  if (language.name === "Rust" && /^!\s*[([{]/.test(after)) return true;
  if (language.interpolation === "${" && /<$/.test(before) && /^(?:\s|\/?>|$)/.test(after)) {
    return /^\p{Lu}/u.test(name);
  }
  if (language.name === "Ruby" && /[\w)\]]&?\.$/.test(before)) return !/^\s*=(?!=)/.test(after);
  if (language.name === "Bash") {
    return /(?:^|[|;&(`{]|\b(?:then|do|else|if|while))\s*$/.test(before) &&
      /^(?:\s|$|[;|&)])/.test(after);
  }
  if (language.name === "SCSS") return /@include\s+$/.test(before);
  return /^`/.test(after) && language.quotes.includes("`");
}

function isWrite(language: Language, { before, after }: Around): boolean {
  if (
    /^\s*(?:\[[^\]]*\]\s*)?(?::=|(?:[+\-*\/%&|^]|\*\*|\/\/|\|\||&&|\?\?|<<|>>)?=(?![=>~]))/.test(
      after,
    )
  ) {
    // A keyword argument of a call names a parameter, it writes nothing.
    return !(/[(,]\s*$/.test(before) &&
      ["Python", "Ruby", "Kotlin", "Scala", "PHP", "C#", "Swift"].includes(language.name));
  }
  if (isBound(language, { before, after })) return true;
  if (
    /^\s*:[^=;]{1,80}=(?![=>])/.test(after) && /\b(?:let|const|var|val)\s+(?:mut\s+)?$/.test(before)
  ) return true;
  return /^\s*(?:\+\+|--)/.test(after) || /(?:\+\+|--)\s*$/.test(before);
}

/** Bound together with others or by a loop: `a, name := f()`, `const { name } = x`, `for name in xs`. */
function isBound(language: Language, { before, after }: Around): boolean {
  const isTuple = TUPLES.has(language.name) &&
    /^\s*(?:(?:if|for|switch|var)\s+)?(?:[\w.@]+\s*,\s*)*$/.test(before) &&
    /^(?:\s*,\s*[\w.@]+)+\s*:?=(?![=~>])/.test(after);
  if (isTuple) return true;
  if (/\b(?:const|let|var)\s+[{[][^}\]=]*$/.test(before)) return /^\s*[,}\]=]/.test(after);
  if (/\b(?:const|let|var)\s+$/.test(before)) return /^\s+(?:of|in)\b/.test(after);
  if (language.name !== "Python") return false;
  return /\bas\s+$/.test(before) || /\bfor\s+(?:[\w.]+\s*,\s*)*$/.test(before);
}
