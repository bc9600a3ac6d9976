/**
 * The streams of the command line: output, errors, colours, and input. What a person reads goes through one function here,
 * which shows the characters that a terminal obeys by their numbers.
 */
import { CodeIntelError, makeIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { escapeLine } from "../base/text/plain_text.ts";

/** Where a command reads and writes. */
export interface Terminal {
  /** Prints lines for a person to standard output: each text is one line, whatever the names of others in it hold. */
  out(...lines: readonly string[]): Promise<void>;
  /** The same to standard error. */
  err(...lines: readonly string[]): Promise<void>;
  /** Writes what programs read to standard output, as it is: JSON, a page, a script. */
  data(text: string): Promise<void>;
  /** Shows how far the work is, on the last line of standard error, where a person watches; an empty text takes the line away. */
  progress(text: string): Promise<void>;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** True when a person can be asked: standard input and standard error are both a terminal. */
  readonly isInteractive: boolean;
  /** Asks for a line on standard error; null where input has ended. */
  ask(question: string): Promise<string | null>;
  /** Asks a person at the terminal; every answer but yes means no. */
  confirm(question: string): Promise<boolean>;
  /** How many characters a line takes: `COLUMNS`, else the width of the terminal; null where nothing says so. */
  readonly columns: number | null;
  /** Colours the text where colours are shown, else returns it unchanged. */
  paint(text: string, colour: Colour): string;
}

/** A colour by its meaning. */
export type Colour = "heading" | "path" | "problem" | "warning" | "faint";

/** The reader closed the output (`code-intel text x | head`), which is no failure. */
export class ClosedOutput extends Error {
  override readonly name = "ClosedOutput";
}

const CODES: Readonly<Record<Colour, string>> = {
  heading: "1",
  path: "36",
  problem: "31",
  warning: "33",
  faint: "2",
};

/** The variables of the user that a terminal minds. */
export interface TerminalSettings {
  readonly noColour: boolean;
  /** What `COLUMNS` says; anything but a whole number counts for nothing. */
  readonly columns?: string | undefined;
}

/** What a terminal is made of. */
export interface Streams {
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  readInput(): Promise<string>;
  /** The next line of standard input; null where it has ended. */
  readLine(): Promise<string | null>;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly isInteractive: boolean;
}

/** The streams of this process. */
export function openStreams(): Streams {
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
    readInput,
    readLine: createLineReader(),
    isTerminal: Deno.stdout.isTerminal(),
    isInteractive: Deno.stdin.isTerminal() && Deno.stderr.isTerminal(),
  };
}

/** The terminal of a command, on the streams of this process or on those that are given. */
export function createTerminal(
  { noColour, columns }: TerminalSettings,
  streams: Streams = openStreams(),
): Terminal {
  const { isTerminal, isInteractive } = streams;
  const isColoured = !noColour && isTerminal;
  // A colour is marked by a word that no text of others can know, since only marked colours reach the terminal.
  const mark = crypto.randomUUID();
  const show = (line: string) => escapeLine(line).replaceAll(mark, "\x1b[");
  const join = (lines: readonly string[]) => lines.map((line) => `${show(line)}\n`).join("");
  const tell = (text: string) => streams.err(text).catch(() => {});
  // Questions go to standard error, because standard output, which may go to a file, is for the
  // answer.
  const ask = async (question: string) => {
    await streams.err(show(question));
    return await streams.readLine();
  };
  return {
    out: (...lines) => streams.out(join(lines)),
    err: (...lines) => tell(join(lines)),
    data: (text) => streams.out(text),
    progress: async (text) => isInteractive ? await tell(`\r${show(text)}\x1b[K`) : undefined,
    readInput: () => streams.readInput(),
    isInteractive,
    ask,
    confirm: async (question) => isInteractive && isYesAnswer(await ask(`${question} [y/N] `)),
    columns: parseColumns(columns) ?? (isTerminal ? readColumns() : null),
    paint: (text, colour) => isColoured ? `${mark}${CODES[colour]}m${text}${mark}0m` : text,
  };
}

function parseColumns(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

function readColumns(): number | null {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return null;
  }
}

/** Whether a line is `y` or `yes`. */
export function isYesAnswer(line: string | null): boolean {
  return /^(?:y|yes)$/i.test(line?.trim() ?? "");
}

/** Reads standard input line by line; what was typed ahead is kept for the next line. */
function createLineReader(): () => Promise<string | null> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(4096);
  let typed = "";
  return async () => {
    while (!typed.includes("\n") && typed.length < LIMITS.inputBytes.value) {
      // Input that was read to its end before cannot be read again: no line comes.
      const size = await Deno.stdin.read(chunk).catch(() => null);
      if (size === null) return null;
      typed += decoder.decode(chunk.subarray(0, size), { stream: true });
    }
    const end = typed.indexOf("\n");
    if (end < 0) return null; // No person types that much.
    const line = typed.slice(0, end).replace(/\r$/, "");
    typed = typed.slice(end + 1);
    return line;
  };
}

async function write(stream: typeof Deno.stdout, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let offset = 0; offset < bytes.length;) {
      offset += await stream.write(bytes.subarray(offset));
    }
  } catch (cause) {
    if (cause instanceof Deno.errors.BrokenPipe) throw new ClosedOutput("closed", { cause });
    const { code, message } = makeIoError("write to standard output", cause);
    throw new CodeIntelError(code, message, {
      hint: "Send the output elsewhere, or free some space; what the command had done stands.",
      cause,
    });
  }
}

async function readInput(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LIMITS.inputBytes.value) {
      throw new CodeIntelError(
        "bad_usage",
        `Standard input is longer than ${LIMITS.inputBytes.value} bytes`,
      );
    }
  }
  return text + decoder.decode();
}
