/**
 * Types of Python in the words that the other languages write theirs in, so that one reader (`type_text.ts`) reads them
 * all: `Optional[User]` is `User`, `list["User"]` is `Array<User>`, `dict[str, User]` is `dict<str, User>`. What a word
 * of `typing` says beside a type is left out. Pure.
 */

const TOKEN =
  /\s*(\.\.\.|[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*|"[^"]*"|'[^']*'|\S)/uy;
const MAX_DEPTH = 12;
/** What nobody can read: the form of an object that is written out, which has no name. */
const UNKNOWN = "{}";

/** Words that say something about the type in their brackets, which they are otherwise. */
const SAME = new Set(
  "Optional Annotated Final ClassVar Required NotRequired ReadOnly Unpack InitVar".split(" "),
);
const LISTS = new Set(
  ("list List set Set frozenset FrozenSet deque Deque Sequence MutableSequence Collection Iterable Iterator Generator " +
    "AsyncIterable AsyncIterator AsyncGenerator AbstractSet MutableSet Reversible KeysView ValuesView " +
    "ContextManager AbstractContextManager AsyncContextManager AbstractAsyncContextManager").split(
      " ",
    ),
);
const TABLES = new Set(
  "dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict".split(" "),
);
const PROMISED = new Set("Awaitable Coroutine".split(" "));

/** A type as it is written in Python, in common words. */
export function writePythonType(text: string): string {
  return new TypeWriter(text, 0).all();
}

class TypeWriter {
  readonly #tokens: string[] = [];
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth: number) {
    this.#depth = depth;
    TOKEN.lastIndex = 0;
    const plain = text.replace(/#.*/g, "");
    for (let match = TOKEN.exec(plain); match !== null; match = TOKEN.exec(plain)) {
      this.#tokens.push((match[1] ?? "").replace(/\s+/g, ""));
    }
  }

  all(): string {
    const type = this.#either(this.#depth);
    return this.#at < this.#tokens.length ? UNKNOWN : type;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #either(depth: number): string {
    const found = [this.#one(depth)];
    while (this.#take("|")) found.push(this.#one(depth));
    return joinTypes(found);
  }

  #one(depth: number): string {
    const token = this.#tokens[this.#at++] ?? "";
    if (depth > MAX_DEPTH) return UNKNOWN;
    if (/^["']/.test(token)) return new TypeWriter(token.slice(1, -1), depth + 1).all();
    if (token === "[") return `(${this.#list(depth).join(", ")})`;
    if (!/^[\p{L}_]/u.test(token)) return UNKNOWN;
    const word = token.slice(token.lastIndexOf(".") + 1);
    if (word === "None") return "null";
    if (!this.#take("[")) return word === "Self" ? "this" : token;
    return writeGeneric(token, word, this.#list(depth));
  }

  /** What stands in the brackets that are open. */
  #list(depth: number): readonly string[] {
    const found: string[] = [];
    while (this.#at < this.#tokens.length && !this.#take("]")) {
      if (this.#take("...")) found.push("...");
      else found.push(this.#either(depth + 1));
      this.#take(",");
    }
    return found;
  }
}

function joinTypes(all: readonly string[]): string {
  const real = all.filter((one) => one !== "null");
  return real.length === 0 ? "null" : real.join(" | ");
}

function writeGeneric(name: string, word: string, args: readonly string[]): string {
  const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = args;
  if (SAME.has(word)) return first;
  if (word === "Union") return joinTypes(args);
  if (word === "Literal") return UNKNOWN;
  if (LISTS.has(word)) return `Array<${first}>`;
  if (TABLES.has(word)) return `dict<${first}, ${second}>`;
  if (PROMISED.has(word)) return `Promise<${word === "Coroutine" ? third : first}>`;
  if (word === "tuple" || word === "Tuple") {
    return second === "..." ? `Array<${first}>` : `[${args.join(", ")}]`;
  }
  if (word === "type" || word === "Type") {
    return /^[\w.]+$/.test(first) ? `typeof ${first}` : UNKNOWN;
  }
  if (word === "Callable") {
    const given = first.startsWith("(") ? first.slice(1, -1) : "";
    const names = given === "" ? "" : given.split(", ").map((one, at) => `p${at}: ${one}`);
    return `(${given === "" ? "" : [names].flat().join(", ")}) => ${second}`;
  }
  return `${name}<${args.map((one) => one === "..." ? UNKNOWN : one).join(", ")}>`;
}
