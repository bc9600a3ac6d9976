/** Which findings of `deno doc --lint` count. Pure. */

/** Types of packages, and schemas that a type is inferred from: nobody outside needs their names. */
const FOREIGN = /references private type '(?:Zod\w+|output|input|[A-Z][A-Z_]+)'/;

/**
 * The findings that count, one line each: exports without a comment, and types of the project that a
 * door shows without exporting them. A member whose line is indented needs no comment of its own.
 */
export function toFindings(output: string): readonly string[] {
  return output.split(/^(?=error\[)/m).filter((block) => block.startsWith("error["))
    .filter((block) => !isMember(block) && !FOREIGN.test(block))
    .filter((block) => !block.startsWith("error[missing-return-type]"))
    .map((block) => {
      const place = /--> (\S+)/.exec(block)?.[1] ?? "";
      return `${place} ${block.slice(0, block.indexOf("\n"))}`;
    });
}

function isMember(block: string): boolean {
  return block.startsWith("error[missing-jsdoc]") && /^ *\d+ \| +\S/m.test(block) &&
    !/^ *\d+ \| \S/m.test(block);
}
