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
