/**
 * What a tool is: a row of data that the server, the command line, the documents and the tests all
 * read. Nothing here depends on the protocol.
 */
import type * as z from "zod";
import type { Asker } from "../base/asker.ts";
import type { Reply } from "../base/reply.ts";
import type { ImpactFinding } from "../phase/facts.ts";
import type { Capability } from "../phase/table/phases.ts";
import type { Services } from "../services/services_api.ts";
import type { CallRecord, NamesByFile } from "../session/records.ts";

/** What a running tool may use beside its input. */
export interface ToolContext {
  readonly services: Services;
  /** Ends the work when the client cancels. */
  readonly signal: AbortSignal;
  /** Most bytes that the reply may have as JSON. */
  readonly maxBytes: number;
  /** Who calls: a client or the command line. */
  readonly via: CallRecord["via"];
  /** Asks the person of this call; `unavailable` where nobody can be asked. */
  readonly asker: Asker;
  /** Tells the client how far the work is; does nothing where the client did not ask. */
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** What a tool answers. */
export interface ToolOutcome {
  readonly reply: Reply;
  /**
   * Files whose content or symbols the reply shows; a file that is only listed by name is not one
   * of them.
   */
  readonly shownFiles?: readonly string[];
  /** Symbols that the reply shows. */
  readonly shownSymbols?: readonly string[];
  /** Symbols whose definition the reply shows, by file. */
  readonly defines?: NamesByFile;
  /** Symbols of which the reply shows a use, by file. */
  readonly refers?: NamesByFile;
  /** Symbols of which the reply shows a use that is proven to lead to their definition, by file of the use. */
  readonly proven?: NamesByFile;
  /** Searches that the call ran by other tools and that were answered. */
  readonly ran?: readonly {
    readonly tool: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly total: number;
  }[];
  /** The complete finding of an analysis of impact; step 11 asks for a decision about it. */
  readonly impact?: ImpactFinding;
}

/** One tool. */
export interface ToolRow<Input = unknown> {
  /** snake_case, verb first; also the file name. */
  readonly name: string;
  readonly title: string;
  /** Under 600 characters: what it does, when to use it, what to call next. */
  readonly description: string;
  /** The capability that the present stage must grant; null for a tool that is always allowed. */
  readonly needs: Capability | null;
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
  };
  /** Strict object: unknown parameters are problems. Every field has `.describe()`. */
  readonly schema: z.ZodType<Input>;
  /** Arguments of a right call, shown with every refusal of arguments. */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * True for the tools that act on the session itself. The workflow judges these calls, and they
   * are no evidence of work, so the pipeline neither asks for permission nor records them.
   */
  readonly isSessionDoor?: boolean;
  /** True for the few tools that begin a piece of work: a client that loads tools late is asked to load these at once. */
  readonly isFirst?: boolean;
  /** Does the work. Declared as a method, so that rows of different inputs fit into one table. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}
