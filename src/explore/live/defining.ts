/**
 * Whether a name is being defined where it stands, told from its line: for definitions that no list of
 * tags holds, such as the name of a function expression. Pure.
 */
import type { Language } from "../../language/mod.ts";

/** The code of a line on both sides of a name, comments and strings blanked. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

const SCRIPTS = ["JavaScript", "TypeScript", "TSX", "JSX", "Vue", "Svelte"];
const TYPED_FIRST = ["Java", "C", "C++", "C#", "Dart"];

/** Words that a name of a callable follows; `function*` too. */
const CALLABLE =
  /(?:^|[^\w$.])(?:function\b\s*\*?|(?:def|defp|defmacro|fn|fun|func|sub|proc)\s)\s*(?:self\.)?$/;
const GO_FUNC = /^\s*func\s+(?:\([^)]*\)\s*)?$|(?:^|[^\w])func\s+$/;
const HOLDER =
  /(?:^|[^\w$.:@-])(?:class|interface|trait|enum|record|module|namespace|protocol|object)\s+$/;
/** `struct node *x` uses what `struct node {` defines. */
const STRUCT = /(?:^|[^\w$.])(?:struct|union|enum(?:\s+class)?|class)\s+$/;
const BODY = /^\s*(?:final\s*)?(?:<[^<>]*>\s*)?(?:[:{(]|$)/;
const MODIFIERS =
  /^\s*(?:(?:public|private|protected|static|async|override|abstract|readonly|get|set|export|default|#|\*)\s*)*$/;
/** `Type name(`, with all that may stand before and after a type. */
const TYPE_BEFORE = /(?:^|[\s)])([\p{L}_][\w.:]*)(?:<[^()]*>)?(?:\[\])*\??(?:\s*[*&]+\s*|\s+)$/u;
const NO_TYPE = new Set(
  "return new throw else case await in yield delete goto do typeof sizeof not and or is as co_await co_return co_yield"
    .split(" "),
);

/** True where the line makes the name: as a function, a class, a method or a function in an object. */
export function isDefining(language: Language, { before, after }: Around): boolean {
  const isTypedFirst = TYPED_FIRST.includes(language.name);
  if (language.name === "Go") return GO_FUNC.test(before) || /^\s*type\s+$/.test(before);
  if (["C", "C++"].includes(language.name) && STRUCT.test(before)) return BODY.test(after);
  if (language.name === "Rust" && STRUCT.test(before)) return true;
  if (CALLABLE.test(before)) return true;
  if (HOLDER.test(before)) return !/^\s*[:=](?!:)/.test(after) || language.name !== "PHP";
  if (SCRIPTS.includes(language.name)) return isScriptMember({ before, after });
  if (!isTypedFirst || !/^\s*\(/.test(after)) return false;
  const type = TYPE_BEFORE.exec(before)?.[1];
  // `x = y * name(z)` is an expression, and so is everything behind a sign of one.
  return type !== undefined && !NO_TYPE.has(type) && !/[=(,?+\-/%|!]|&&|"/.test(toHead(before));
}

/** A method in a class or object, a key that holds a function, or a type alias. */
function isScriptMember({ before, after }: Around): boolean {
  if (/(?:^|[^\w$.])type\s+$/.test(before)) return /^\s*(?:<.*>)?\s*=/.test(after);
  // No call is followed by a block.
  const isMethod = MODIFIERS.test(before) &&
    /^\s*(?:<[^()]*>)?\([^;]*\)\s*(?::[^=;]+)?\{\s*(?:[^{}]*\}\s*,?\s*)?$/.test(after);
  return isMethod ||
    /^\s*:\s*(?:async\s+)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)/.test(after) &&
      !/\b(?:const|let|var|readonly)\s+$/.test(before);
}

/** What stands before a name without annotations and type arguments. */
function toHead(before: string): string {
  return before.replace(/@[\w.]+(?:\([^()]*\))?/g, "").replace(/<[^()]*>/g, "");
}
