/** Conditions of the preprocessor, for grammars that know them only between whole declarations. Pure. */

/**
 * The text with the lines of conditions (`#if`, `#endif`) and all branches but the first blanked out; every place is
 * kept. What is left is what one compilation would see, so that declarations cut by conditions fit together.
 */
export function keepFirstBranch(text: string): string {
  /** For each open condition, whether its present branch is left out. */
  const dropped: boolean[] = [];
  return text.split("\n").map((line) => {
    const word = /^\s*#\s*(if|elif|elseif|else|endif)\b/.exec(line)?.[1];
    if (word === undefined) return dropped.includes(true) ? blank(line) : line;
    if (word === "if") dropped.push(false);
    else if (word === "endif") dropped.pop();
    else dropped[dropped.length - 1] = true;
    return blank(line);
  }).join("\n");
}

function blank(line: string): string {
  return line.replace(/[^\r]/g, " ");
}
