/** The streams of the command line: output, errors, colours, and input. */
import { CodeIntelError, toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";

/** Where a command reads and writes. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): Promise<void>;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** True when a person can be asked: standard input and standard error are both a terminal. */
  readonly isInteractive: boolean;
  /** Asks for a line on standard error; null where input has ended. */
  ask(question: string): Promise<string | null>;
  /** Asks a person at the terminal; every answer but yes means no. */
  confirm(question: string): Promise<boolean>;
  /** Width of the terminal that standard output is; null where it is none. */
  readonly columns: number | null;
  /** A time for people, in their own zone; a pipe gets it as it is stored, so that programs can read it. */
  toTime(at: string): string;
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

/** The streams of this process. */
export function createTerminal(env: { readonly noColour: boolean }): Terminal {
  const isTerminal = Deno.stdout.isTerminal();
  const isColoured = !env.noColour && isTerminal;
  const isInteractive = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  const readLine = createLineReader();
  // Questions go to standard error, because standard output, which may go to a file, is for the
  // answer.
  const ask = async (question: string) => {
    await write(Deno.stderr, question);
    return await readLine();
  };
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text).catch(() => {}),
    readInput,
    isInteractive,
    ask,
    confirm: async (question) => isInteractive && isYes(await ask(`${question} [y/N] `)),
    columns: isTerminal ? readColumns() : null,
    toTime: (at) => isTerminal ? toLocalTime(at) : at,
    paint: (text, colour) => isColoured ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text,
  };
}

/** A stored time (ISO 8601) to the minute, in the zone of this machine; anything else unchanged. */
export function toLocalTime(at: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at)) return at;
  const time = new Date(at);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function readColumns(): number | null {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return null;
  }
}

/** Whether a line is `y` or `yes`. */
export function isYes(line: string | null): boolean {
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
    const { code, message } = toIoError("write to standard output", cause);
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
