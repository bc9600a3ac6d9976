/**
 * Texts with calls inside: a hint names a tool and its arguments as data, and each reader is given words of
 * its own. An agent reads the names of tools, a person at a terminal reads command lines and options.
 */

/** A text for every reader alike, or one whose calls are worded for its reader. */
export type Words = string | Phrase;

/** A call that a text names. */
export interface NamedCall {
  readonly tool: string;
  /** Arguments by name; {@link ASKED} stands for a value that the caller chooses. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The value of an argument that a text names without saying it. */
export const ASKED: unique symbol = Symbol("a value that the caller chooses");

/** How a reader is told of calls and arguments. */
export interface TextReader {
  /** Whether a name in backticks is a tool that this reader is told of by other words. */
  readonly rewords: (name: string) => boolean;
  /** The call as a noun, such as `sync_index` or the command line that does the same. */
  readonly toCall: (call: NamedCall) => string;
  /** The present call as a noun, where it is told by another name than every call of its tool. */
  readonly toPresent?: (tool: string) => string;
  /** An argument of the present call, such as `max_bytes` or `--max-bytes`. */
  readonly toArgument: (name: string) => string;
  /** What the caller does to give an argument a value, in the middle of a sentence. */
  readonly toSending: (name: string, value: unknown) => string;
  /** The verb that begins a call: agents call a tool, people run a command. */
  readonly verb: string;
  /** Chooses between two wordings. */
  readonly choose: (wordings: { readonly agent: string; readonly person: string }) => string;
}

/** A piece of a {@link Phrase} that is worded for its reader; `isVerb` pieces may begin a sentence. */
export interface Piece {
  readonly toWords: (reader: TextReader) => string;
  readonly isVerb?: boolean;
}

/** A text made by {@link say}. As a string and in JSON it has the words for an agent. */
export class Phrase {
  readonly #parts: readonly (string | Piece)[];

  /** @param parts Plain texts and pieces, in their order. */
  constructor(parts: readonly (string | Piece)[]) {
    this.#parts = parts;
  }

  /** The words for a reader; a verb that begins a sentence has a capital. */
  toWords(reader: TextReader): string {
    return this.#parts.reduce<string>((text, part) => {
      if (typeof part === "string") return text + part;
      const words = part.toWords(reader);
      const begins = part.isVerb === true && /(?:^|[.!?] )$/.test(text);
      return text + (begins ? words.charAt(0).toUpperCase() + words.slice(1) : words);
    }, "");
  }

  /** The words for an agent. */
  toString(): string {
    return this.toWords(AGENT);
  }

  /** The words for an agent: replies of the protocol are JSON. */
  toJSON(): string {
    return this.toString();
  }

  /** The texts and pieces, for a phrase that this one becomes part of. */
  get parts(): readonly (string | Piece)[] {
    return this.#parts;
  }
}

/**
 * Makes a text from pieces, plain values and other texts, whose calls stay data.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { argument, call, say, use } from "./words.ts";
 * equal(`${say`${call("sync_index")}, then ${use("query")}.`}`, "Call sync_index, then query.");
 * equal(JSON.stringify(say`Leave \`${argument("path")}\` out.`), '"Leave `path` out."');
 * ```
 */
export function say(
  texts: TemplateStringsArray,
  ...values: readonly (Piece | Words | number)[]
): Phrase {
  return new Phrase(
    texts.flatMap((text, index) => index === 0 ? [text] : [...listParts(values[index - 1]), text]),
  );
}

/** One text from several; it stays plain where all of them are. */
export function joinWords(texts: readonly Words[], separator = " "): Words {
  const said = texts.filter((text) => text !== "");
  const [only] = said;
  if (only !== undefined && said.length === 1) return only;
  if (said.every((text) => typeof text === "string")) return said.join(separator);
  return new Phrase(
    said.flatMap((text, index) => [...index === 0 ? [] : [separator], ...listParts(text)]),
  );
}

/**
 * A text that is written or stored as plain text, such as an instruction of the project's contract: a name in
 * backticks that is a tool, and nothing else, is a call of it without arguments.
 */
export function parseWords(text: string): Words {
  const parts = text.split(/`([a-z][a-z_]*)`/).map((part, index): string | Piece =>
    index % 2 === 0 ? part : {
      toWords: ({ rewords, toCall }) =>
        rewords(part) ? toCall({ tool: part, arguments: {} }) : `\`${part}\``,
    }
  );
  return parts.length === 1 ? text : new Phrase(parts);
}

/** The words for an agent with each call in backticks, so that {@link parseWords} finds it in the stored text. */
export function markCalls(words: Words): string {
  if (typeof words === "string") return words;
  return words.toWords({ ...AGENT, toCall: ({ tool: name }) => `\`${name}\`` });
}

function listParts(value: Piece | Words | number | undefined): readonly (string | Piece)[] {
  if (value instanceof Phrase) return value.parts;
  return typeof value === "object" ? [value] : [String(value ?? "")];
}

/** The call as a noun: "query shows where" is "`code-intel query` shows where" to a person. */
export function tool(name: string, args: NamedCall["arguments"] = {}): Piece {
  return { toWords: ({ toCall }) => toCall({ tool: name, arguments: args }) };
}

/** The present call as a noun: several commands may be calls of one tool, and a person typed one of them. */
export function presentCall(name: string): Piece {
  return {
    toWords: ({ toPresent, toCall }) => toPresent?.(name) ?? toCall({ tool: name, arguments: {} }),
  };
}

/** The call as what to do: "call query", which is "run `code-intel query`" to a person. */
export function call(name: string, args: NamedCall["arguments"] = {}): Piece {
  const toWords = ({ verb, toCall }: TextReader) =>
    `${verb} ${toCall({ tool: name, arguments: args })}`;
  return { toWords, isVerb: true };
}

/** The call as what to do, where its name is the verb for an agent: "then submit_phase". */
export function use(name: string, args: NamedCall["arguments"] = {}): Piece {
  return {
    toWords: ({ verb, toCall, choose }) =>
      choose({ agent: "", person: `${verb} ` }) + toCall({ tool: name, arguments: args }),
  };
}

/** An argument of the present call, as a noun. */
export function argument(name: string): Piece {
  return { toWords: ({ toArgument }) => toArgument(name) };
}

/** What gives an argument of the present call a value: "send force true", "add `--force`". */
export function send(name: string, value: unknown): Piece {
  return { toWords: ({ toSending }) => toSending(name, value), isVerb: true };
}

/** Words that differ by reader without naming a call. */
export function either(wordings: { readonly agent: string; readonly person: string }): Piece {
  return { toWords: ({ choose }) => choose(wordings) };
}

/** What to do once more, such as "Send the same call again" to an agent: people run a command. */
export const SAME_CALL: Piece = {
  ...either({ agent: "send the same call", person: "run the same command" }),
  isVerb: true,
};

/** The words that an agent reads: names of tools and of their arguments. */
const AGENT: TextReader = {
  rewords: () => false,
  toCall: ({ tool: name, arguments: args }) => {
    const named = Object.entries(args).map(([key, value]) => formatArgument(key, value));
    const last = named.pop();
    if (last === undefined) return name;
    return `${name} with ${named.length === 0 ? "" : `${named.join(", ")} and `}${last}`;
  },
  toArgument: (name) => name,
  toSending: (name, value) => `send ${formatArgument(name, value)}`,
  verb: "call",
  choose: ({ agent }) => agent,
};

function formatArgument(name: string, value: unknown): string {
  return value === ASKED ? name : `${name} ${JSON.stringify(value)}`;
}
