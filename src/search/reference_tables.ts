/** Words and families that the rules of following references compare with. Pure. */
import type { Family } from "./module_paths.ts";

/** Kinds of definitions that have members. */
export const TYPES = new Set(
  "class interface trait struct enum object implementation protocol extension module mixin record union type"
    .split(" "),
);
/** Kinds of definitions that only hold others. */
export const SPACES = new Set(["namespace", "package", "module"]);
/** Spaces whose names need no prefix in the rest of their file. */
export const OPEN_SPACES = new Set(["namespace", "package"]);
/** Kinds of definitions with a body that runs. */
export const CALLABLES = new Set([
  "function",
  "method",
  "constructor",
  "macro",
  "getter",
  "setter",
]);
/** Words for the object itself or its type. */
export const SELF = new Set(["this", "self", "$this", "cls", "Self", "static"]);
/** Words for what the type is made from. */
export const PARENT = new Set(["super", "parent", "base"]);
/** Families where a member is named without a receiver. */
export const IMPLICIT_MEMBERS: ReadonlySet<Family> = new Set([
  "jvm",
  "c_sharp",
  "c",
  "ruby",
  "swift",
  "dart",
]);
/** Families where the files of a folder see one another. */
export const FOLDER_PACKAGES: ReadonlySet<Family> = new Set(["go", "jvm"]);
/** Families whose names belong to namespaces. */
export const NAMESPACES: ReadonlySet<Family> = new Set(["c_sharp", "php"]);
