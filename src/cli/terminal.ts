/** The streams of the command line: what is written, whether in colour, and what is read. */
import { CodeIntelError } from "../base/errors.ts";

/** Where a command reads and writes. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): Promise<void>;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** True when a person sits at standard input. */
  readonly isInteractive: boolean;
  /** Asks a person at the terminal; anything but yes is no. */
  confirm(question: string): boolean;
  /** Paints where colour is welcome, else returns the text as it is. */
  paint(text: string, colour: Colour): string;
}

/** A colour by its meaning. */
export type Colour = "heading" | "path" | "problem" | "faint";

/** The reader went away (`code-intel text x | head`), which is its right. */
export class ClosedOutput extends Error {
  override readonly name = "ClosedOutput";
}

const CODES: Readonly<Record<Colour, string>> = {
  heading: "1",
  path: "36",
  problem: "31",
  faint: "2",
};

const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** The streams of this process. */
export function createTerminal(env: { readonly noColour: boolean }): Terminal {
  const isColoured = !env.noColour && Deno.stdout.isTerminal();
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text).catch(() => {}),
    readInput,
    isInteractive: Deno.stdin.isTerminal(),
    confirm: (question) => confirm(question),
    paint: (text, colour) => isColoured ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text,
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
    throw cause;
  }
}

async function readInput(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_INPUT_BYTES) {
      throw new CodeIntelError(
        "bad_usage",
        `Standard input is longer than ${MAX_INPUT_BYTES} bytes`,
      );
    }
  }
  return text + decoder.decode();
}
