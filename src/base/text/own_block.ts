/** The block that `init` writes into a Markdown file of the person: its marks, and a text without it. Pure. */

/** The lines round the block; clients leave such comments out of what the model reads. */
export const OWN_BLOCK = {
  begin: "<!-- code-intel:begin (written by `code-intel init`) -->",
  end: "<!-- code-intel:end -->",
} as const;

/** Other versions may say something else behind the first words. */
const BLOCK = /^<!-- code-intel:begin\b[\s\S]*?^<!-- code-intel:end -->/gm;

/** The text with every line of the block empty, so that all other lines keep their numbers. */
export function blankOwnBlock(text: string): string {
  return text.replace(BLOCK, (block) => block.replace(/[^\r\n]+/g, ""));
}
