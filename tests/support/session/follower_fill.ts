/**
 * Fills what a reply shows as expected, by its shape alone: choices, places, paths, sentences. It knows no
 * step and no field of any step; what it says comes from the work it was given and from what it was shown.
 */
import { extname } from "node:path";

/** What a coder brings along: the request, and what they would change. */
export interface Work {
  readonly intent: string;
  readonly query: string;
  /** Words of the request that name what it is about. */
  readonly feature: string;
  /** A name in the code that it is about. */
  readonly symbol: string;
  /** The new content by path. */
  readonly edits: Readonly<Record<string, string>>;
  /** What they change instead once a reply says that the work was sent back. */
  readonly fixes?: Readonly<Record<string, string>>;
  /** Names of yes-or-no fields whose true answer is yes; to all else it is no. */
  readonly yes: readonly string[];
}

/** What is known when a payload is filled. */
export interface Known {
  readonly work: Work;
  /** The reply that asks. */
  readonly reply: Readonly<Record<string, unknown>>;
  /** Tools that were called since the last payload. */
  readonly called: readonly string[];
  /** Files that replies have shown, and a line of each where one was shown. */
  readonly seen: ReadonlyMap<string, number | null>;
  /** Lines that were changed, as `path:start-end`, by path. */
  readonly changed: ReadonlyMap<string, string>;
}

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const PLACE = /[\w./-]+\.\w+:\d+(?:-\d+)?|path:(?:line-line|renamed|deleted)/;
const PATH = /^[\w./-]+\.\w+$/;
const SENTENCE = "As the request says, and as the code that was shown bears out.";

/** A payload in the form of an example. */
export function fillPayload(expected: JsonObject, known: Known): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(expected).map(([name, example]) => [name, fill(name, example, known)]),
  );
}

/** A form that a hint shows as it is to be sent: only its choices and dots are open. */
export function fillForm(form: Json, work: Work): Json {
  if (Array.isArray(form)) return form.map((part) => fillForm(part, work));
  if (typeof form === "string") {
    return form.includes(" | ") ? choose(form.split(" | "), work) : form.replace("…", SENTENCE);
  }
  if (typeof form !== "object" || form === null) return form;
  return Object.fromEntries(
    Object.entries(form).map(([name, part]) => [name, fillForm(part, work)]),
  );
}

function fill(name: string, example: Json, known: Known): Json {
  if (Array.isArray(example)) return fillList(name, example, known);
  if (typeof example === "string") return fillText(name, example, known);
  if (typeof example !== "object" || example === null) return example;
  // A value with the words that it was read from.
  if ("value" in example && "quote" in example) {
    return { value: known.work.feature, quote: known.work.feature };
  }
  return fillPayload(example as JsonObject, known);
}

function fillText(name: string, example: string, known: Known): Json {
  const { work } = known;
  const own = findOwn(name, known.reply);
  if (typeof own === "string") return own;
  if (example === "boolean") return work.yes.includes(name);
  if (example.includes(" | ")) return choose(example.split(" | "), work);
  if (PLACE.test(example)) {
    const place = toPlace(example, known);
    return place === null ? SENTENCE : example.replace(PLACE, place);
  }
  if (PATH.test(example)) return pickFiles(example, known)[0] ?? example;
  // A word is an example to be taken; all else says what kind of text is wanted.
  return /^(?:string|…|\d+\+)|\s/.test(example) ? SENTENCE : example;
}

/** The option that the request speaks of, else the first. */
function choose(options: readonly string[], { intent }: Work): Json {
  const asked = options.find((option) => intent.toLowerCase() === option);
  const [first = ""] = options;
  if (asked !== undefined) return asked;
  if (PATH.test(first) || first.includes("/")) return null;
  return first === "string" ? SENTENCE : first;
}

/** What the reply itself holds for a field: `task_id` of `next_task: {id}`. */
function findOwn(name: string, reply: JsonObject): Json {
  for (const [key, value] of Object.entries(reply)) {
    if (!key.startsWith("next_") || typeof value !== "object" || value === null) continue;
    if (name === `${key.slice("next_".length)}_id`) return (value as JsonObject)["id"];
    if (name in value) return (value as JsonObject)[name];
  }
  return undefined;
}

function fillList(name: string, examples: readonly Json[], known: Known): Json {
  const [example] = examples;
  if (example === undefined) return [];
  if (typeof example === "string") return fillWords(example, known);
  if (typeof example !== "object" || example === null) return [];
  const own = findOwn(name, known.reply);
  if (Array.isArray(own)) {
    return own.map((text, at) => fillItem(example, { text: `${text}`, at }, known));
  }
  if (examples.every(isItem)) {
    return examples.map((one, at) => fillItem(one, { text: one.item, at }, known));
  }
  const field = ["path", "file"].find((key) => key in example);
  if (field !== undefined) {
    return toSubjects(known).map((path) => ({
      ...fillPayload(example as JsonObject, known),
      [field]: path,
    }));
  }
  if ("checklist" in example) {
    // What the reply calls existing is sent again as it is.
    const kept = known.reply[`existing_${name}`];
    const added = Object.keys(known.work.edits)
      .map((path, at) => fillTask(example, path, { at, known }));
    return [...Array.isArray(kept) ? kept : [], ...added];
  }
  const row = fillPayload(example as JsonObject, known);
  // A row that rests on a place says nothing without one.
  const rests = Object.values(example).some((text) => typeof text === "string" && PLACE.test(text));
  return rests && Object.values(row).every((text) => !PLACE.test(`${text}`)) ? [] : [row];
}

/** Whether a row of a list names what it is about in its own words. */
function isItem(row: Json): row is { readonly item: string } {
  return typeof row === "object" && row !== null && "item" in row && typeof row.item === "string";
}

function fillWords(example: string, known: Known): readonly string[] {
  if (example === "names") return known.called;
  if (PLACE.test(example)) {
    const place = toPlace(example, known);
    return place === null ? [] : [example.replace("…", known.work.query).replace(PLACE, place)];
  }
  if (PATH.test(example)) return pickFiles(example, known);
  // A name of the code begins with a capital in examples; anything else is nothing to report.
  return /^[A-Z]\w+$/.test(example) ? [known.work.symbol] : [];
}

/** A row about a text of the reply, with the lines that were changed in the file it names. */
function fillItem(
  example: object,
  { text, at }: { readonly text: string; readonly at: number },
  known: Known,
): Json {
  const path = Object.keys(known.work.edits).find((edited) => text.includes(edited));
  const place = known.changed.get(path ?? "") ?? "";
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (typeof value === "string" && PLACE.test(value)) return [name, place];
      if (typeof value === "string" && value.includes(" | ")) return [name, value.split(" | ")[0]];
      if (typeof value === "number") return [name, at + 1];
      return [name, typeof value === "string" && /\s/.test(value) ? text : value];
    }),
  );
}

/** A piece of work for each file that is to be changed. */
function fillTask(
  example: object,
  path: string,
  { at, known }: { readonly at: number; readonly known: Known },
): Json {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (Array.isArray(value)) {
        return [name, [`Change ${known.work.feature} in ${path}`]];
      }
      if (name === "id") {
        return [name, `${value}`.replace(/\d+$/, (first) => `${Number(first) + at}`)];
      }
      return [name, value === "…" ? `${known.work.query} (${path})` : value];
    }),
  );
}

/** Files that a decision is about: those that changed, or before that those that will. */
function toSubjects({ changed, work }: Known): readonly string[] {
  return changed.size > 0 ? [...changed.keys()] : Object.keys(work.edits);
}

/** Files of the kind of an example that were shown; of any kind where the example is code. */
function pickFiles(example: string, { seen, work }: Known): readonly string[] {
  const kind = extname(example);
  const same = [...seen.keys()].filter((path) => extname(path) === kind);
  const isCode = Object.keys(work.edits).some((path) => extname(path) === kind);
  return isCode ? same.filter((path) => path in work.edits) : same;
}

function toPlace(example: string, known: Known): string | null {
  const path = PLACE.exec(example)?.[0].replace(/:[\d-]+$/, "") ?? "";
  for (const file of pickFiles(path, known)) {
    const line = known.seen.get(file);
    if (typeof line === "number") return `${file}:${line}`;
  }
  return null;
}
