/** `docs/errors.md` from the table of operational failures. */
import { LIMITS } from "../../src/base/settings/limits.ts";
import { toPage, toTable, toWord } from "./markdown.ts";
import { ERROR_CODES } from "../../src/base/errors.ts";

/** The page. */
export function renderLimits(): string {
  const rows = Object.entries(LIMITS).map(([name, { value, why }]) => [
    toWord(name),
    value.toLocaleString("en-US"),
    why,
  ]);
  return toPage("Limits", "src/base/settings/limits.ts", [
    "Every bound of the program. The name ends with the unit.",
    toTable(["name", "value", "where it comes from"], rows),
  ]);
}

/** The page. */
export function renderErrors(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, row]) => [
    toWord(code),
    row.meaning,
    row.canRetry ? "yes" : "no",
    String(row.exitCode),
  ]);
  return toPage("Errors", "src/base/errors.ts", [
    "Operational failures: something outside the program did not work. A reply carries the code as\n" +
    "`error`, a message, and a hint that names the next step. Refusals of the workflow (a payload that\n" +
    "does not fit, a claim that does not hold) are not errors: they come as `problems` with a hint each.",
    toTable(["code", "meaning", "retry can help", "exit code of the command line"], rows),
    "Exit codes of the command line: 0 done, 1 refused or nothing found, 2 failed, 64 bad usage, 70 a bug.",
  ]);
}
