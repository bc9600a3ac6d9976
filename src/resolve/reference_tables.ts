/** Words and families that the rules of following references compare with. Pure. */
import { FAMILIES, familiesWith } from "../language/families.ts";
import { isCallable, isOpenSpace, isSpace, isType, KINDS } from "../language/kinds.ts";
import type { Family } from "../language/families.ts";

/** Kinds of definitions that have members. */
export const TYPES: ReadonlySet<string> = new Set(KINDS.filter(isType));
/** Kinds of definitions that only hold others. */
export const SPACES: ReadonlySet<string> = new Set(KINDS.filter(isSpace));
/** Spaces whose names need no prefix in the rest of their file. */
export const OPEN_SPACES: ReadonlySet<string> = new Set(KINDS.filter(isOpenSpace));
/** Kinds of definitions with a body that runs. */
export const CALLABLES: ReadonlySet<string> = new Set(KINDS.filter(isCallable));
/** Words for the object itself or its type. */
export const SELF = new Set(["this", "self", "$this", "cls", "Self", "static"]);
/** Families where any name may stand for a type. */
export const LOOSE_TYPES = familiesWith("looseTypes");
/** Families where the index knows which places name a parameter or a variable of a block. */
export const BINDING = familiesWith("binding");
/** Families where the analysis says where each variable of a block holds. */
export const BLOCKS = familiesWith("blocks");
/** Families where a variable has the type of whatever it was given last. */
export const DYNAMIC = familiesWith("dynamic");
/** Families where the analysis of a file says the types of its names (`ExpressionTypes`). */
export const TYPED = familiesWith("typed");
/** Families where a member is named without a receiver. */
export const IMPLICIT_MEMBERS = familiesWith("implicitMembers");
/** Families where the files of a folder see one another. */
export const FOLDER_PACKAGES: ReadonlySet<Family> = new Set(
  [...familiesWith("folderPackage")].filter((family) =>
    FAMILIES[family].folderPackage === "always"
  ),
);
/** Families where the own package comes before a whole one that is imported. */
export const OWN_FIRST = familiesWith("ownFirst");
/** Families whose names belong to namespaces. */
export const NAMESPACES = familiesWith("namespaces");
