/** Writes HTML in which every text is escaped unless it was made here. Pure. */
import { escapeText } from "../base/text/plain_text.ts";

/** A piece of HTML that may stand as it is. */
export class Html {
  /** @param text The markup. */
  constructor(readonly text: string) {}
}

/** What a template takes: texts are escaped, lists joined, null is nothing. */
export type HtmlPart = Html | string | number | null | readonly HtmlPart[];

/**
 * A template whose values are escaped.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { markup } from "./html.ts";
 * equal(markup`<p title="${'"'}">${"</p><script>"}</p>`.text, '<p title="&quot;">&lt;/p&gt;&lt;script&gt;</p>');
 * ```
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, at) => text + renderPart(parts[at] ?? null)).join(""));
}

/** A text of others, whose direction of writing changes nothing around it. */
export function bdi(text: string): Html {
  return markup`<bdi>${text}</bdi>`;
}

/** A name or a place of others, as code. */
export function code(text: string): Html {
  return markup`<code><bdi>${text}</bdi></code>`;
}

function renderPart(part: HtmlPart): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escape(`${part}`);
  return part.map(renderPart).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return escapeText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
