/** Diagnostics for people: one line on standard error, never on standard output. */

import { escapeText } from "./text/plain_text.ts";

/** Where notices for the user who runs the program go. */
export interface Logger {
  /** Writes one line. */
  note(message: string): void;
  /** Writes one line for who waits at a terminal, and nothing elsewhere; absent where nobody does. */
  tellWaiting?(message: string): void;
}

/** Writes to standard error; what cannot be written there is dropped. */
export const STDERR_LOGGER: Logger = {
  note(message) {
    try {
      Deno.stderr.writeSync(new TextEncoder().encode(`code-intel: ${escapeText(message)}\n`));
    } catch {
      // A closed standard error must not end the server.
    }
  },
  tellWaiting(message) {
    if (Deno.stderr.isTerminal()) this.note(message);
  },
};

/** Drops everything: for tests and for callers that report in another way. */
export const SILENT_LOGGER: Logger = { note() {} };
