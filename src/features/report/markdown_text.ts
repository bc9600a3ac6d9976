/** Texts of others within Markdown. Pure. */
import { clipLine } from "../../base/text/clip.ts";
import { escapeText } from "../../base/text/plain_text.ts";

const MOST_CHARS = 200;

/** A text of others on one line that Markdown shows as it is: no link, no mention, no markup. */
export function escapeWords(text: string): string {
  const plain = clipLine(escapeText(text), MOST_CHARS);
  return plain.replaceAll(/[\\`*_{}[\]<>|#~!&]/g, "\\$&").replaceAll("@", "@\u200b")
    .replaceAll("://", ":\u200b//");
}

/** A name of others as code. */
export function formatCode(text: string): string {
  return `\`${clipLine(escapeText(text), MOST_CHARS).replaceAll("`", "'")}\``;
}
