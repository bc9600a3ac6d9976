/**
 * Checks raw JSON values before any schema does, whatever the parameters are called. Pure, and
 * without recursion, so that deep input cannot exhaust the stack.
 */
import type { Problem } from "../base/problem.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { toProblem } from "../base/problem.ts";
import { SAME_CALL, say } from "../base/text/words.ts";

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
  return [toProblem(
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
  return toProblem(code, `${shown === "" ? "The input" : `\`${shown}\``} ${what}`, {
    hint,
    ...(shown === "" ? {} : { at: shown }),
  });
}

function push(open: Place[], parent: Place, at: string, value: unknown): void {
  if (value === null || typeof value === "number" || typeof value === "boolean") return;
  open.push({ value, at: at.length > 200 ? at.slice(0, 200) : at, depth: parent.depth + 1 });
}
