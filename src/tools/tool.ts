/**
 * What a tool is: a row of data that the server, the command line, the documents and the tests all read. Nothing here
 * depends on the protocol.
 */
import type * as z from "zod";
import type { UserPrompt } from "../base/asker.ts";
import type { Reply } from "../base/reply.ts";
import type { ImpactFinding } from "../phase/facts.ts";
import type { Capability } from "../phase/table/phases.ts";
import type { Services } from "../services/services_api.ts";
import type { CallRecord, NamesByFile } from "../session/records.ts";

/** The fields of an entry. */
export type Fields = Readonly<Record<string, unknown>>;

/** Colours a text where the terminal shows colours. */
export type Paint = (text: string, colour: "path" | "faint") => string;

/** A place as all output prints it: `src/a.ts:42: text`. */
export function toPlaceLine(entry: Fields, paint: Paint, text: unknown): string {
  const line = entry["line"] === undefined ? "" : `:${entry["line"]}`;
  return `${paint(`${entry["path"] ?? entry["file"]}${line}`, "path")}: ${text}`;
}

/** A definition with its kind, signature and scope. */
export function toSymbolText(entry: Fields): string {
  const scope = entry["scope"] === undefined ? "" : ` in ${entry["scope"]}`;
  // A function of one parameter may be written without brackets.
  const signature = String(entry["signature"] ?? "").replace(/^\w.*/s, "($&)");
  return `${entry["kind"]} ${entry["name"]}${signature}${scope}${toRunText(entry)}`;
}

/** Which tests ran what an entry defines, in brackets; nothing where no run was recorded. */
export function toRunText({ run_by: text }: Fields): string {
  return text === undefined ? "" : `  (${text})`;
}

/** What a running tool may use beside its input. */
export interface ToolContext {
  readonly services: Services;
  /** Ends the work when the client cancels. */
  readonly signal: AbortSignal;
  /** Most bytes that the reply may have as JSON. */
  readonly maxBytes: number;
  /** Who calls: a client or the command line. */
  readonly via: CallRecord["via"];
  /** Asks the user of this call; `unavailable` where nobody can be asked. */
  readonly asker: UserPrompt;
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

/** How a person calls a tool at a terminal. The tool's own name, with hyphens, is a command too. */
export interface ToolCommand {
  /** The short name, such as `refs`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** True for a command that does more than the tool, so that neither stands for the other. */
  readonly doesMore?: true;
  /** Positional arguments as the usage line shows them; absent where the command line has a command of its own. */
  readonly usage?: string;
  /** How many there may be, where the usage line does not say it. */
  readonly positionals?: readonly [min: number, max: number];
  /** The parameter that takes the positional arguments; a second one takes the last of two. */
  readonly parameters?: readonly [first: string, second?: string];
  /** A whole command line that works. */
  readonly example?: string;
}

/** Which list of a reply is its answer, and how an entry becomes a line, or several ones. */
export interface PrintedList {
  readonly list: string;
  readonly toLine: (entry: Fields, paint: Paint) => string | readonly string[];
}

/** How a hub answers a tool. */
export interface HubUse {
  /**
   * Which repositories a call without one is asked of: those that define or mention the name in `symbol`; those that may
   * have a line of the pattern; the only one that defines all of `symbols`.
   */
  readonly asks: "defining" | "mentioning" | "holding" | "changing" | "one";
  /** The description there, where it differs. */
  readonly description?: string;
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
  /**
   * Makes a strict object: unknown parameters are problems. Every field has `.describe()`. `getSchema()` calls it at the
   * first use of the tool: a command needs the schema of one tool, not of all.
   */
  readonly buildSchema: () => z.ZodType<Input>;
  readonly command: ToolCommand;
  /** How a terminal shows its list; default an outline of the reply. */
  readonly print?: PrintedList;
  /** Its rank among the tools that show definitions of symbols, and among those that show files. */
  readonly shows?: { readonly symbols?: number; readonly files?: number };
  /** Present where a hub answers it too. */
  readonly hub?: HubUse;
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
