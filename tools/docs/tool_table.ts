/** `src/phase/table/tool_table.ts` from the rows of the tools: what is known of a tool without loading it. */
import { TOOLS } from "../../src/tools/tools.ts";

/** The file, as the formatter leaves it. */
export function renderToolTable(): string {
  const rows = TOOLS.map(({ name, command, isSessionDoor, shows = {} }) => {
    const marks = [
      ...(command.doesMore === true ? ["more"] : []),
      ...(isSessionDoor === true ? ["session"] : []),
      ...Object.entries(shows).map(([kind, rank]) => `${kind}${rank}`),
    ];
    return [name, command.name, marks.join(" "), command.summary.replaceAll("`", "\\`")].join("|");
  });
  return `${HEADER}export const TOOL_TABLE = \`\n${rows.join("\n")}\n\`;\n`;
}

const HEADER = `/**
 * The tools by name, command, marks and summary. Made from \`src/tools/rows\` by \`deno task docs\`: change the row of the tool
 * instead.
 */

/** One tool a line, in the order in which clients are shown them. */
`;
