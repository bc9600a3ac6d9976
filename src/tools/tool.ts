/**
 * What a tool is: a row of data that the server, the command line, the documents and the tests all
 * read. Nothing here knows the protocol.
 */
import type * as z from "zod";
import type { Asker } from "../base/asker.ts";
import type { Reply } from "../base/reply.ts";
import type { Capability, ImpactFinding } from "../phase/mod.ts";
import type { Services } from "../services/mod.ts";
import type { NamesByFile } from "../session/mod.ts";
import type { CallRecord } from "../workflow/mod.ts";

/** What a running tool may use beside its input. */
export interface ToolContext {
  readonly services: Services;
  /** Ends the work when the client cancels. */
  readonly signal: AbortSignal;
  /** Most bytes that the reply may have as JSON. */
  readonly maxBytes: number;
  /** Who calls. */
  readonly via: CallRecord["via"];
  /** Asks the person of this call; `unavailable` where nobody can be asked. */
  readonly asker: Asker;
  /** Tells the client how far the work is; a no-op where nobody listens. */
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** What a tool answers. */
export interface ToolOutcome {
  readonly reply: Reply;
  /** Files whose content or symbols the reply shows (a mere listing of names is not one). */
  readonly shownFiles?: readonly string[];
  /** Symbols that the reply shows. */
  readonly shownSymbols?: readonly string[];
  /** Symbols whose definition the reply shows, by file. */
  readonly defines?: NamesByFile;
  /** Symbols of which the reply shows a use, by file. */
  readonly refers?: NamesByFile;
  /** What an analysis of impact found, whole: step 11 asks for a decision about it. */
  readonly impact?: ImpactFinding;
}

/** One tool. */
export interface ToolRow<Input = unknown> {
  /** snake_case, verb first; also the file name. */
  readonly name: string;
  readonly title: string;
  /** Under 600 characters: what it does, when to use it, what to call next. */
  readonly description: string;
  /** What the present stage must grant; null: always allowed. */
  readonly needs: Capability | null;
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
  };
  /** Strict object: unknown parameters are problems. Every field has `.describe()`. */
  readonly schema: z.ZodType<Input>;
  /** A right call, shown with every refused one. */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * True for the doors of the session itself: the workflow judges them on its own, and they are no
   * evidence of work, so they are neither admitted nor recorded here.
   */
  readonly isSessionDoor?: boolean;
  /** A method, so that a row of any input fits into the table of all rows. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}
