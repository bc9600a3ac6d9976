/**
 * The text that a person reads before they allow commands, the same at a terminal and in a form.
 * Pure.
 */
import { toCountText } from "../../base/text/plain_text.ts";
import type { CommandsUnderTrust } from "./trusted_commands.ts";

/** How much of each text is shown. */
export interface TrustTextOptions {
  /** Most lines of one text; of a longer text the file is named. Default 200. */
  readonly maxLines?: number;
}

const MAX_LINES = 200;

/**
 * The commands with the texts behind them, written so that no part can hide another from the
 * person.
 */
export function toTrustText(
  { commands, behind }: Pick<CommandsUnderTrust, "commands" | "behind">,
  { maxLines = MAX_LINES }: TrustTextOptions = {},
): string {
  const lines: string[] = [];
  for (const { name, run, writes } of commands) {
    lines.push(`${name}: ${run.map(toWord).join(" ")}`);
    if (writes.length > 0) lines.push(`  may write ${writes.join(", ")}`);
  }
  for (const { path, name, text } of behind) {
    if (text === null) continue;
    lines.push("", name === "" ? `${path}:` : `${path}, ${name}:`);
    const shown = text.trimEnd().split("\n");
    lines.push(...shown.slice(0, maxLines).map((line) => `  ${line}`));
    const more = shown.length - maxLines;
    if (more > 0) lines.push(`  and ${toCountText(more, "more line")}; read on in ${path}`);
  }
  return lines.map(toVisible).join("\n");
}

function toWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Makes terminal sequences and characters that change the reading direction visible. */
function toVisible(line: string): string {
  return line.replace(/\r$/, "").replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (sign) => sign === "\t" ? "    " : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}
