/** The little Markdown that the generated pages need. */

/** A table; cells are escaped so that a pipe does not end them. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(toCell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** A page that says where it comes from, so that nobody edits it by hand. */
export function toPage(title: string, source: string, parts: readonly string[]): string {
  const notice = `<!-- Made by \`deno task docs\` from ${source}; do not edit. -->`;
  return `${[`# ${title}`, notice, ...parts].join("\n\n")}\n`;
}

/**
 * A page by its template: `{{name}}` stands for a text. A section (`## …`) that needs a text that is null is left out.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { fillPage } from "./markdown.ts";
 * equal(fillPage("# A\n\n{{a}}\n\n## B\n\n{{b}}\n", { a: "1", b: null }), "# A\n\n1\n");
 * ```
 */
export function fillPage(
  template: string,
  texts: Readonly<Record<string, string | null>>,
): string {
  const parts = template.trim().split(/\n\n(?=## )/).flatMap((part) => {
    const names = [...part.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
    const unknown = names.find((name) => texts[name] === undefined);
    if (unknown !== undefined) throw new Error(`The page needs ${unknown}`);
    if (names.some((name) => texts[name] === null)) return [];
    return [part.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? "")];
  });
  return `${parts.join("\n\n")}\n`;
}

/** A fenced block of JSON. */
export function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** A word as code; empty text stays empty. */
export function toWord(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

function toCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}
