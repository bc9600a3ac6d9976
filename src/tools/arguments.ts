/**
 * Turns the raw arguments of a call into the input of a tool, or into all problems at once. Input
 * of clients and of the command line is checked nowhere else.
 */
import type * as z from "zod";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Words } from "../base/text/words.ts";
import { argument, either, SAME_CALL, say } from "../base/text/words.ts";
import type { JsonSchema } from "./input_schema.ts";
import {
  buildInputSchema,
  findField,
  getSchema,
  listTypes,
  resolveParameterAliases,
} from "./input_schema.ts";
import { formatSuggestion } from "../base/text/nearest.ts";
import type { ToolRow } from "./tool.ts";

const MAX_DEPTH = 32;
const MAX_PROBLEMS = 20;
const FORBIDDEN_KEYS: readonly string[] = ["__proto__"];

interface Place {
  readonly value: unknown;
  readonly at: string;
  readonly depth: number;
}

/**
 * Problems of the raw value: its size, its depth, NUL characters, broken Unicode, keys such as
 * `__proto__`.
 */
export function checkJson(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const open: Place[] = [{ value, at: "", depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (problems.length >= MAX_PROBLEMS) return problems;
    if (place.depth > MAX_DEPTH) {
      problems.push(refuse("too_long", place.at, `is nested deeper than ${MAX_DEPTH} levels`));
    } else if (typeof place.value === "string") {
      problems.push(...checkText(place.value, place.at));
    } else if (Array.isArray(place.value)) {
      place.value.forEach((item, index) => push(open, place, `${place.at}[${index}]`, item));
    } else if (typeof place.value === "object" && place.value !== null) {
      for (const [key, item] of Object.entries(place.value)) {
        const at = place.at === "" ? key : `${place.at}.${key}`;
        problems.push(...checkKey(key, at));
        push(open, place, at, item);
      }
    }
  }
  return problems.length > 0 ? problems : checkSize(value);
}

/**
 * Checks the size of the arguments as they would be sent; this one bound covers every parameter.
 */
function checkSize(value: unknown): readonly Problem[] {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(value) ?? "").length;
  if (sizeBytes <= LIMITS.argumentBytes.value) return [];
  return [makeProblem(
    "too_long",
    `The arguments have ${sizeBytes} bytes, at most ${LIMITS.argumentBytes.value} are read`,
    { hint: "Send less: name files and lines instead of quoting them." },
  )];
}

function checkText(text: string, at: string): readonly Problem[] {
  if (text.includes("\0")) return [refuse("invalid_value", at, "holds a NUL character")];
  if (text.isWellFormed()) return [];
  return [refuse("invalid_value", at, "holds half of a surrogate pair, which is no Unicode text")];
}

function checkKey(key: string, at: string): readonly Problem[] {
  if (FORBIDDEN_KEYS.includes(key)) return [refuse("unknown_parameter", at, "is never a field")];
  return checkText(key, at.slice(0, 60));
}

function refuse(code: string, at: string, what: string): Problem {
  const shown = at.length > 80 ? `${at.slice(0, 80)}…` : at;
  const hint = say`Leave it out, then ${SAME_CALL} again.`;
  if (shown === "") return makeProblem(code, `The input ${what}`, { hint });
  return makeProblem(code, `\`${shown}\` ${what}`, { hint, at: shown });
}

function push(open: Place[], parent: Place, at: string, value: unknown): void {
  if (value === null || typeof value === "number" || typeof value === "boolean") return;
  open.push({ value, at: at.length > 200 ? at.slice(0, 200) : at, depth: parent.depth + 1 });
}

/** The checked input of a tool, or every reason why there is none. */
export type ArgumentsResult =
  | { readonly kind: "input"; readonly input: unknown }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

type Issue = z.core.$ZodIssue;

/** Reads `raw` as the arguments of `row`. */
export function readArguments(row: ToolRow, raw: unknown): ArgumentsResult {
  const given = raw ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    const message = `The arguments must be an object, got ${nameOfType(given)}`;
    return { kind: "refused", problems: [makeProblem("wrong_type", message)] };
  }
  // Arguments under the tool's own names and in its own forms need no JSON Schema, which takes longer than the check.
  const direct = checkJson(given).length > 0 ? null : getSchema(row).safeParse(given);
  if (direct?.success === true) return { kind: "input", input: direct.data };
  const schema = buildInputSchema(row);
  const named = resolveParameterAliases(given as Record<string, unknown>, schema);
  const { value, problems: unread } = decodeStrings(named, schema);
  const unsafe = checkJson(value);
  if (unsafe.length > 0) return { kind: "refused", problems: unsafe };
  const parsed = getSchema(row).safeParse(value);
  if (parsed.success && unread.length === 0) return { kind: "input", input: parsed.data };
  const issues = parsed.success ? [] : parsed.error.issues;
  const found = issues.flatMap((issue) => listProblems(issue, value, schema));
  const unreadAt = unread.map(({ at }) => at);
  const rest = found.filter(({ at }) => !unreadAt.includes(at));
  return { kind: "refused", problems: [...unread, ...rest] };
}

/**
 * Parses text into objects or arrays where the schema takes no text, because some clients send them
 * as JSON text.
 */
function decodeStrings(
  given: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): { readonly value: Record<string, unknown>; readonly problems: readonly Problem[] } {
  const value: Record<string, unknown> = { ...given };
  const problems: Problem[] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = value[name];
    const types = listTypes(field);
    if (typeof text !== "string" || types.includes("string")) continue;
    if (!types.includes("object") && !types.includes("array")) continue;
    try {
      value[name] = JSON.parse(text);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.slice(0, 120) : "";
      problems.push(makeProblem(
        "wrong_type",
        `\`${name}\` must be ${formatTypes(field)}; it is text that is not JSON: ${reason}`,
        { at: name, hint: formatHint(name, field) },
      ));
    }
  }
  return { value, problems };
}

/** Turns each kind of issue of the schema library into our problems. */
const ISSUES: Partial<
  Record<Issue["code"], (issue: Issue, found: unknown, schema: JsonSchema) => readonly Problem[]>
> = {
  invalid_type: (issue, found, schema) => [makeTypeProblem(issue, found, schema)],
  invalid_value: (issue, found, schema) => [makeValueProblem(issue, found, schema)],
  invalid_union: (issue, found, schema) => listUnionProblems(issue, found, schema),
  unrecognized_keys: (issue, _, schema) => listUnknownProblems(issue, schema),
  too_big: (issue, found, schema) => [
    makeFieldProblem(typeof found === "number" ? "invalid_value" : "too_long", issue, schema),
  ],
};

function listProblems(issue: Issue, input: unknown, schema: JsonSchema): readonly Problem[] {
  const found = readValueAt(input, issue.path);
  const known = ISSUES[issue.code]?.(issue, found, schema);
  if (known !== undefined) return known;
  const given = issue.code === "custom" ? issue.params?.["code"] : undefined;
  return [makeFieldProblem(typeof given === "string" ? given : "invalid_value", issue, schema)];
}

function makeTypeProblem(issue: Issue, found: unknown, schema: JsonSchema): Problem {
  const at = formatPath(issue.path);
  const field = findField(schema, issue.path) ?? {};
  const shown = argument(at);
  const [code, message] = found === undefined
    ? ["missing_field", say`\`${shown}\` is missing`] as const
    : [
      "wrong_type",
      say`\`${shown}\` must be ${formatTypes(field)}, got ${nameOfType(found)}`,
    ] as const;
  return makeProblem(code, message, { at, hint: formatHint(at, field) });
}

function makeValueProblem(issue: Issue, found: unknown, schema: JsonSchema): Problem {
  const values = findField(schema, issue.path)?.enum ?? [];
  if (typeof found !== "string") return makeTypeProblem(issue, found, schema);
  const at = formatPath(issue.path);
  const shown = JSON.stringify(found.length > 60 ? `${found.slice(0, 60)}…` : found);
  return makeProblem(
    "invalid_value",
    say`\`${argument(at)}\` is ${shown}, which is not one of its values`,
    {
      at,
      hint: `Send one of ${values.join(", ")}.${formatSuggestion(found, values)}`,
    },
  );
}

/**
 * Reports the issues of the one branch of a union whose type fits, because they say more than "no
 * branch fits".
 */
function listUnionProblems(issue: Issue, found: unknown, schema: JsonSchema): readonly Problem[] {
  const branches = issue.code === "invalid_union" ? issue.errors : [];
  const fitting = branches.find((branch) =>
    branch.every(({ code, path }) => code !== "invalid_type" || path.length > 0)
  );
  if (found === undefined || fitting === undefined) return [makeTypeProblem(issue, found, schema)];
  return fitting.map((inner) => {
    const at = formatPath([...issue.path, ...inner.path]);
    const code = inner.code === "too_big" ? "too_long" : "invalid_value";
    const wrong = inner.code === "invalid_type" ? "wrong_type" : code;
    const field = findField(schema, issue.path) ?? {};
    return makeProblem(wrong, say`\`${argument(at)}\`: ${inner.message}`, {
      at,
      hint: formatHint(at, field),
    });
  });
}

function listUnknownProblems(issue: Issue, schema: JsonSchema): readonly Problem[] {
  const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
  const names = Object.keys(findField(schema, issue.path)?.properties ?? {});
  return keys.map((key) => {
    const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
    return makeProblem(
      "unknown_parameter",
      `\`${formatPath([...issue.path, shown])}\` is not known`,
      {
        at: formatPath([...issue.path, shown]),
        hint: `Known here: ${names.join(", ")}.${formatSuggestion(key, names)}`,
      },
    );
  });
}

function makeFieldProblem(code: string, issue: Issue, schema: JsonSchema): Problem {
  const at = formatPath(issue.path);
  const message = at === "" ? issue.message : say`\`${argument(at)}\`: ${issue.message}`;
  const field = findField(schema, issue.path);
  return makeProblem(code, message, {
    ...(at === "" ? {} : { at }),
    ...(field === undefined || at === "" ? {} : { hint: formatHint(at, field) }),
  });
}

function formatHint(at: string, field: JsonSchema): Words {
  const meaning = field.description === undefined ? "" : ` (${field.description})`;
  // The type is one of JSON; what is typed is a word.
  const type = either({ agent: ` as ${formatTypes(field)}`, person: "" });
  return say`Send \`${argument(at)}\`${type}${meaning}.`;
}

function formatTypes(field: JsonSchema): string {
  if (field.enum !== undefined) return `one of ${field.enum.join(", ")}`;
  const types = listTypes(field).map((
    type,
  ) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`));
  return types.length === 0 ? "a value of its type" : types.join(" or ");
}

function nameOfType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`.replace("a object", "an object");
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

function readValueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
