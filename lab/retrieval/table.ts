/** Tables and figures of the page. Pure. */

/** A table in Markdown, its first row the head. */
export function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A figure with three digits behind the point. */
export function toFigure(value: number): string {
  return value.toFixed(3);
}
