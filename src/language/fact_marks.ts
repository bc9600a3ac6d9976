/** Words with a meaning of their own among the facts of types that the analysis makes and resolution reads. Pure. */

/** The text of a fact about a definition inside of a block. */
export const IN_BLOCK = "#";
/** The text of a fact about a method that a type has itself, and not its objects. */
export const OF_TYPE = "@";
/** The name of what a module of scripts is as a whole: `module.exports = …`, `export = …`. */
export const WHOLE_MODULE = "export=";
