/** `docs/limits.md` from the table of bounds. */
import { LIMITS } from "../../src/base/settings/limits.ts";
import { toPage, toTable, toWord } from "./markdown.ts";

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
