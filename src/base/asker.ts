/**
 * Asking the user: what a question and its answer are, whatever asks it (a client's form, a terminal,
 * nobody). The workflow takes an {@link UserPrompt} without knowing any protocol.
 */
import { invariant } from "./errors.ts";

/** One field of a form. Only flat fields: no client shows more. */
export interface FormField {
  /** Name of the value in the answer. */
  readonly name: string;
  /** What the user reads beside the field. */
  readonly title: string;
  readonly type: "boolean" | "choice" | "text";
  /** The only values that are taken; for `choice` alone. */
  readonly choices?: readonly string[];
  /** An answer without a required field is none. */
  readonly required: boolean;
}

/** A question to the user. At least one field must be required: some clients accept empty forms. */
export interface Question {
  /**
   * Names the question and the state that it is about (`escalation session_x 12`): an answer to
   * another key is no answer, so a question about a later state must have another key.
   */
  readonly key: string;
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** What the user filled in, by the name of the field. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/**
 * What became of a question:
 * - `answered`: the values fit the fields.
 * - `declined`: the user said that they do not want to answer.
 * - `unanswered`: closed, run out, or filled in wrongly; nothing may change, the same call asks again.
 * - `unavailable`: nobody can be asked here.
 * - `input_required`: the client shows the form now and repeats the same call with the answer; end this
 *   call without changing anything, its reply is not shown.
 */
export type Answer =
  | { readonly kind: "answered"; readonly values: FormValues }
  | { readonly kind: "declined" | "unanswered" | "unavailable" | "input_required" };

/** Where an answer came from, as records name it: a form of the client, or a terminal. */
export type AskedSource = "asked" | "terminal";

/** Asks the user of one call. Hold no lock while it waits. */
export interface UserPrompt {
  /** Default: a form of the client. */
  readonly source?: AskedSource;
  /** True where the user typed the call itself, so that its words are theirs. */
  readonly isTyped?: boolean;
  /** @param signal Ends the waiting; the answer then is `unanswered`. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}

/** Where nobody can be asked. */
export const NO_ASKER: UserPrompt = { ask: () => Promise.resolve({ kind: "unavailable" }) };

/** Longest text that a form takes. */
export const FORM_TEXT_CHARS = 2000;

/** Throws on a question that no form can put: it is a bug of the caller. */
export function checkQuestion({ key, fields }: Question): void {
  invariant(key !== "", "a question needs a key");
  invariant(fields.some(({ required }) => required), `question ${key} requires no field`);
  for (const { name, type, choices = [] } of fields) {
    invariant((type === "choice") === (choices.length > 0), `choices of ${key}.${name}`);
  }
}

/** The values of a filled form, or null when they do not fit; what no field names is dropped. */
export function readFormValues(
  fields: readonly FormField[],
  content: unknown,
): FormValues | null {
  if (typeof content !== "object" || content === null) return null;
  const values: Record<string, string | boolean> = {};
  for (const field of fields) {
    const given: unknown = Object.hasOwn(content, field.name)
      ? (content as Readonly<Record<string, unknown>>)[field.name]
      : undefined;
    const value = typeof given === "string" ? given.trim() : given;
    if (value === undefined || value === null || value === "") {
      if (field.required) return null;
      continue;
    }
    if (!fits(field, value)) return null;
    values[field.name] = value;
  }
  return values;
}

function fits({ type, choices = [] }: FormField, value: unknown): value is string | boolean {
  if (type === "boolean") return typeof value === "boolean";
  if (typeof value !== "string") return false;
  return type === "text" ? value.length <= FORM_TEXT_CHARS : choices.includes(value);
}
