/**
 * Fits a value of JSON to the form that a schema asks for, as a person would read it: a text where a list is meant, a
 * number as text, JSON within a text, fields in another spelling. Never judges: what does not fit stays as it is. Pure.
 */
import { findMeantKey, type NamedField } from "./near_key.ts";
import { isRecord, type JsonRecord, parseJson } from "./json_record.ts";

/** The part of JSON Schema that the reading needs. */
export interface FormSchema extends NamedField {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly anyOf?: readonly FormSchema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly additionalProperties?: FormSchema | boolean;
  /** Other words of a value, by the value. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Field that a text alone means, where rows of objects are asked for. */
  readonly main?: string;
  /** What a text stands for: a `path` is taken out of an object that has more. */
  readonly holds?: string;
}

/** A value in the form of the schema, and the fields that were read under another name, as `sent → meant`. */
export interface Fitted {
  readonly value: unknown;
  readonly renamed: readonly string[];
}

/**
 * Reads a value in the form of a schema.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { fitForm } from "./fit_form.ts";
 * const files = { type: "array", items: { type: "string" } };
 * const schema = { type: "object", properties: { "explored_files": files } };
 * deepEqual(fitForm({ exploredFiles: "a.ts" }, schema).value, { "explored_files": ["a.ts"] });
 * ```
 */
export function fitForm(value: unknown, schema: FormSchema): Fitted {
  const renamed: string[] = [];
  return { value: fit(value, schema, renamed), renamed };
}

type Kind = "object" | "array" | "string" | "boolean" | "number";

/** The branches of a schema by the kind of value that they take; texts of fixed words before free ones. */
function listBranches(schema: FormSchema): readonly (readonly [Kind, FormSchema])[] {
  if (schema.anyOf !== undefined) {
    const shared = { aliases: schema.aliases, words: schema.words, main: schema.main };
    return schema.anyOf.flatMap((branch) => listBranches({ ...shared, ...branch } as FormSchema));
  }
  const types = typeof schema.type === "string" ? [schema.type] : schema.type ?? [];
  const kinds = types.map((type) => type === "integer" ? "number" : type);
  return kinds.filter((kind) => kind !== "null").map((kind) => [kind as Kind, schema] as const);
}

function fit(value: unknown, schema: FormSchema, renamed: string[]): unknown {
  const branches = listBranches(schema);
  const take = (kind: Kind) => branches.find(([one]) => one === kind)?.[1];
  if (value === undefined || value === null) {
    return value === null && branches.length > 0 && take("array") !== undefined &&
        !isNullable(schema)
      ? []
      : value;
  }
  if (typeof value === "string") return fitText(value, { branches, take, renamed });
  if (Array.isArray(value)) return fitList(value, { take, renamed });
  if (isRecord(value)) return fitRecord(value, { take, renamed });
  const fixed = branches.find(([kind, branch]) => kind === "string" && isFixed(branch))?.[1];
  if (fixed !== undefined) return findWord(String(value), fixed) ?? value;
  if (typeof value === "number" && take("number") === undefined && take("boolean") !== undefined) {
    return value === 1 ? true : value === 0 ? false : value;
  }
  if (typeof value === "boolean" && take("boolean") !== undefined) return value;
  if (typeof value === "number" && take("number") !== undefined) return value;
  if (take("string") !== undefined && typeof value === "number") return String(value);
  const list = take("array");
  const item = list === undefined ? undefined : fit(value, list.items ?? {}, renamed);
  return typeof item === "string" ? [item] : value;
}

function isNullable(schema: FormSchema): boolean {
  const types = typeof schema.type === "string" ? [schema.type] : schema.type ?? [];
  return types.includes("null") || (schema.anyOf ?? []).some(isNullable);
}

function isFixed({ enum: values, const: only }: FormSchema): boolean {
  return values !== undefined || only !== undefined;
}

interface Reading {
  readonly take: (kind: Kind) => FormSchema | undefined;
  readonly renamed: string[];
}

const YES = /^(?:true|yes|y|1|on)\W*$/i;
const NO = /^(?:false|no|n|0|off)\W*$/i;
const NOTHING = /^\s*(?:(?:none|null|nil|n\/a|nothing|no|-|\[\]|\{\})\.?)?\s*$/i;

function fitText(
  text: string,
  { branches, take, renamed }: Reading & {
    readonly branches: readonly (readonly [Kind, FormSchema])[];
  },
): unknown {
  const list = take("array");
  const object = take("object");
  const inner = readJson(text, { list: list !== undefined, object: object !== undefined });
  if (inner !== undefined) {
    return Array.isArray(inner)
      ? fitList(inner, { take, renamed })
      : fitRecord(inner as JsonRecord, { take, renamed });
  }
  const fixed = branches.find(([kind, branch]) => kind === "string" && isFixed(branch))?.[1];
  const word = fixed === undefined ? undefined : findWord(text, fixed);
  if (word !== undefined) return word;
  if (branches.some(([kind, branch]) => kind === "string" && !isFixed(branch))) return text;
  if (fixed !== undefined) return text;
  if (take("boolean") !== undefined) return YES.test(text) ? true : NO.test(text) ? false : text;
  if (take("number") !== undefined) return /^\s*-?\d+\s*$/.test(text) ? Number(text) : text;
  if (list !== undefined) {
    if (NOTHING.test(text)) return [];
    return fitList(splitPoints(text), { take, renamed });
  }
  return object === undefined ? text : fillRow(text, object) ?? text;
}

/** A list or an object that stands in a text as JSON, where such a thing is asked for. */
function readJson(
  text: string,
  wanted: { readonly list: boolean; readonly object: boolean },
): unknown {
  const bare = text.trim().replace(/^```(?:json)?\s*|\s*```$/g, "");
  const isWanted = bare.startsWith("[")
    ? wanted.list
    : bare.startsWith("{") && (wanted.object || wanted.list);
  if (!isWanted) return undefined;
  const value = parseJson(bare);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** The points of a text that is a list of points; else the text alone. */
function splitPoints(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const points = lines.map((line) => /^(?:[-*•]|\d+[.)])\s+(.+)$/.exec(line)?.[1]);
  const isList = lines.length > 1 && points.every((point) => point !== undefined);
  return isList ? points.flatMap((point) => point ?? []) : [text];
}

/**
 * The fixed word that a text says: alone in any case, by another word for it, or at its beginning where it says no other
 * one; undefined for anything else.
 */
function findWord(
  text: string,
  { enum: values, const: only, words = {} }: FormSchema,
): string | undefined {
  const known = values ?? (typeof only === "string" ? [only] : []);
  const plain = text.trim().toLowerCase().replaceAll(/[\s-]+/g, "_");
  const isSaid = (word: string) => plain === word || plain.replace(/\W+$/, "") === word;
  const alone = known.find((value) => isSaid(value.toLowerCase())) ??
    known.find((value) => words[value]?.some(isSaid));
  if (alone !== undefined) return alone;
  const said = known.filter((value) =>
    new RegExp(`(?<![a-z])${value.toLowerCase()}(?![a-z])`).test(plain)
  );
  return said.length === 1 && plain.startsWith(said[0]?.toLowerCase() ?? "\0")
    ? said[0]
    : undefined;
}

function fitList(sent: readonly unknown[], { take, renamed }: Reading): unknown {
  const list = take("array");
  if (list !== undefined) {
    const { items = {} } = list;
    return sent.filter((item) => item !== null && !(typeof item === "string" && item.trim() === ""))
      .map((item) => fit(item, items, renamed));
  }
  const object = take("object");
  if (object !== undefined) return fitListToObject(sent, object, renamed);
  const isPlain = sent.every((item) => typeof item === "string" || typeof item === "number");
  return take("string") !== undefined && isPlain ? sent.join("; ") : sent;
}

/** A list where an object is meant: rows of a mapping, the one list in the object, or the object itself. */
function fitListToObject(sent: readonly unknown[], object: FormSchema, renamed: string[]): unknown {
  const { properties, additionalProperties: values } = object;
  if (properties === undefined) {
    if (typeof values !== "object") return sent;
    const rows = sent.flatMap(splitRow);
    return rows.length === sent.length ? fit(Object.fromEntries(rows), object, renamed) : sent;
  }
  const lists = Object.entries(properties).filter(([, field]) => field.type === "array");
  const [name] = lists[0] ?? [];
  if (lists.length === 1 && name !== undefined) return fit({ [name]: sent }, object, renamed);
  return sent.length === 1 && isRecord(sent[0]) ? fit(sent[0], object, renamed) : sent;
}

/** A row of a mapping: `key: value`, or an object with two texts or with one field. */
function splitRow(row: unknown): readonly (readonly [string, unknown])[] {
  if (typeof row === "string") {
    const [, key = "", value = ""] = /^([^]*?\S)\s*(?::\s|→|=>|->)\s*([^]+)$/.exec(row) ?? [];
    return value === "" ? [] : [[key, value]];
  }
  const fields = isRecord(row) ? Object.entries(row) : [];
  if (fields.length === 1) return fields;
  const [key, value] = fields.map(([, one]) => one);
  return fields.length === 2 && typeof key === "string" ? [[key, value]] : [];
}

function fitRecord(sent: JsonRecord, { take, renamed }: Reading): unknown {
  const object = take("object");
  if (object !== undefined) return fitFields(sent, object, renamed);
  const list = take("array");
  if (list !== undefined) return fitRecordToList(sent, list, renamed);
  const text = take("string");
  return text === undefined ? sent : formatRecord(sent, text.holds) ?? sent;
}

function fitFields(sent: JsonRecord, schema: FormSchema, renamed: string[]): JsonRecord {
  const { properties, additionalProperties: values, required = [] } = schema;
  if (properties === undefined) {
    if (typeof values !== "object") return sent;
    return Object.fromEntries(
      Object.entries(sent).map(([key, one]) => [key, fit(one, values, renamed)]),
    );
  }
  const named: Record<string, unknown> = {};
  const inner: Record<string, Record<string, unknown>> = {};
  const free = Object.keys(properties).filter((name) => !Object.hasOwn(sent, name));
  for (const [key, value] of Object.entries(sent)) {
    const meant = Object.hasOwn(properties, key) ? key : findMeantKey(key, free, properties);
    const above = meant === null ? free.find((name) => hasField(properties[name], key)) : undefined;
    if (above !== undefined) inner[above] = { ...inner[above], [key]: value };
    else named[meant ?? key] = value;
    if (meant !== null && meant !== key) {
      free.splice(free.indexOf(meant), 1);
      renamed.push(`${key} → ${meant}`);
    }
  }
  const rows = Object.entries({ ...named, ...inner }).flatMap(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined) return [[name, value] as const];
    const fitted = fit(value, field, renamed);
    const isAbsent = fitted === null && !isNullable(field) && !required.includes(name);
    return isAbsent ? [] : [[name, fitted] as const];
  });
  return Object.fromEntries(rows);
}

function hasField(field: FormSchema | undefined, key: string): boolean {
  return field !== undefined &&
    listBranches(field).some(([, { properties }]) => Object.hasOwn(properties ?? {}, key));
}

/** A mapping where rows are meant: its keys are what the rows are about. One row alone is a list of one. */
function fitRecordToList(sent: JsonRecord, list: FormSchema, renamed: string[]): unknown {
  const items = list.items ?? {};
  const object = listBranches(items).find(([kind]) => kind === "object")?.[1];
  if (object?.properties === undefined) {
    const isRows = Object.keys(sent).every((key) => /^\d+$/.test(key));
    const one = fit(sent, items, renamed);
    return isRows
      ? fit(Object.values(sent), list, renamed)
      : typeof one === "string"
      ? [one]
      : sent;
  }
  const fitted = fitFields(sent, object, []);
  const isRow = Object.keys(fitted).some((key) => Object.hasOwn(object.properties ?? {}, key));
  if (isRow) return fit([sent], list, renamed);
  const [first = ""] = Object.keys(object.properties);
  return Object.entries(sent).map(([key, value]) => {
    if (isRecord(value)) return fit({ [first]: key, ...value }, items, renamed);
    const rest = typeof value === "string" ? fillRest(value, object) : null;
    return rest === null ? value : { [first]: key, ...rest };
  });
}

/** The other fields of a row from a text: a fixed word at its beginning, and what follows it. */
function fillRest(text: string, { properties = {} }: FormSchema): JsonRecord | null {
  const [, ...others] = Object.entries(properties);
  const free = others.find(([, field]) =>
    listBranches(field).every(([kind, one]) => kind === "string" && !isFixed(one))
  );
  for (const [name, field] of others) {
    const fixed = listBranches(field).find(([, branch]) => isFixed(branch))?.[1];
    const word = fixed === undefined ? undefined : findWord(text, fixed);
    if (word === undefined) continue;
    const said = text.trim().slice(word.length).replace(/^[\s:;,.(–—-]+|\)\s*$/g, "");
    const isRest = text.trim().toLowerCase().startsWith(word.toLowerCase()) && said !== "";
    return { [name]: word, ...(isRest && free !== undefined ? { [free[0]]: said } : {}) };
  }
  return free === undefined ? null : { [free[0]]: text };
}

/** A row of which only a text was sent. */
function fillRow(
  text: string,
  { properties = {}, main, required = [] }: FormSchema,
): JsonRecord | null {
  if (main !== undefined) return { [main]: text };
  const isText = (name: string) =>
    listBranches(properties[name] ?? {}).some(([kind, one]) => kind === "string" && !isFixed(one));
  return required.length > 0 && required.every(isText)
    ? Object.fromEntries(required.map((name) => [name, text]))
    : null;
}

const PATH_KEY = /^(?:file|path|file_?path|file_?name|document|doc|source|name)$/i;
const LINE_KEY = /^(?:lines?|line_?numbers?|range|start(?:_?line)?)$/i;
const END_KEY = /^end(?:_?line)?$/i;

/** An object as the text that it would have been: its place, and what is said of it. */
function formatRecord(sent: JsonRecord, holds: string | undefined): string | null {
  const fields = Object.entries(sent).filter(([key, value]) =>
    typeof value === "string" ||
    typeof value === "number" && (LINE_KEY.test(key) || END_KEY.test(key))
  );
  const find = (pattern: RegExp) => fields.find(([key]) => pattern.test(key));
  const [path, line, end] = [find(PATH_KEY), find(LINE_KEY), find(END_KEY)];
  const lines = line === undefined ? "" : `:${line[1]}${end === undefined ? "" : `-${end[1]}`}`;
  const place = path === undefined ? "" : `${path[1]}${lines}`;
  if (holds === "path") return place === "" ? null : place;
  const said = fields.filter((field) => field !== path && field !== line && field !== end)
    .map(([, value]) => String(value)).join(": ");
  const text = said === "" ? place : place === "" ? said : `${said} (${place})`;
  return text === "" ? null : text;
}
