/** Signs of comments that many languages share, to be spread into their rows. Pure. */

/** `//` and `/* … *\/`. */
export const SLASH = { line: ["//"], block: [["/*", "*/"]] } as const;
/** `#`. */
export const HASH = { line: ["#"] } as const;
/** Comments of markup. */
export const MARKUP = { block: [["<!--", "-->"]] } as const;
