/** How far lines are set in, which tells blocks where nobody parses them. Pure. */

const TAB = "    ";

/** Columns before the first sign of a line that is no space; a tab counts as four. */
export function indentOf(line: string): number {
  const lead = /^[\t ]*/.exec(line)?.[0] ?? "";
  return lead.replaceAll("\t", TAB).length;
}
