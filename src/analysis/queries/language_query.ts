/**
 * What a file of this folder says about one grammar: patterns on its syntax tree in the tags
 * convention, and the few rules that patterns cannot express.
 *
 * The captures, each optional except where a line says otherwise:
 * - `@definition.KIND` a whole definition, with `@name` in the same match. Matches with the same name
 *   place are one definition: the widest range counts, and of the kinds that of the last pattern.
 * - `@params`, `@result` its signature; `@base` a type that it extends; `@docstring` its documentation
 *   inside; `@scope` what holds it where that is not what stands round it (`A` of `A::f`); `@self` the name
 *   by which its body calls the object that it is a method of.
 * - `@range` more that belongs to it, in a match with its `@name`; `@export` the same where it passes it on; `@exported.name` a name passed on elsewhere.
 * - `@until` what stands beside a definition and ends it; `@inner` and `@outer` a wrapper: what begins where
 *   the inner begins has the range of the outer. `@unit` a part that is a chunk, but no symbol.
 * - `@doc` comments, `@prefix` attributes that stand before what they belong to.
 * - `@local` where variables and constants are local, so no symbols.
 * - `@bound` a name that a parameter, a loop or a `catch` binds. It is bound in the innermost
 *   `@block` or `@local` round it, or in `@within` of the same match. Places of the name there lead
 *   to no definition.
 * - `@member` a name that is a member of something, beside those after a separator: of `@of`, an object of that type (or
 *   `super`), else of what has no name, such as the object that a key belongs to.
 * - `@reference.call|type|import|write|read` places that name something; of several the first in that
 *   order counts, and a definition's name beats all. `@ignore` takes a place out.
 * - `@typed` a name, with one of these: its `@type`, its first `@value`, `@each` (what a loop goes
 *   through); the `@alias` of a type that it is, the `@bound` of a type parameter, the `@chain`
 *   that it is a member of; `@part` the member of the value that it holds; `@listed` many of the
 *   type.
 *   `@attribute` a name that a method gives its object; `@returned` what a function answers with;
 *   `@decorated` its name below decorators; `@narrowed` a name that is tested for a type;
 *   `@entered` a value that a block is entered with.
 *   `@untyped` a parameter without a type. `@lefts` with `@rights` or `@ranged`: several names and their values.
 * - `@object` where `this` is an object without a name, of the `@object.type` that it extends or the `@object.value` that it is;
 *   with `@object.any` it may be anything. `@static` the name of a method that a type has itself, and not its objects.
 * - `@words` code that the grammar leaves whole: the body of a macro. `@classes` a list of names of style
 *   classes. `@embed.script`, `@embed.style`, `@embed.expression` text of another language, with its `@embed.tag`.
 * - `@import.module` with `@import.name`, `@import.alias`, `@import.all` (a wildcard),
 *   `@import.reexport`: one import a match; or `@import.statement`, whose text `importsOf` reads.
 */

import type { Spelling } from "../trees/expression_text.ts";

/** One name of an import statement that `importsOf` has read; the line is that of `offset`. */
export interface ImportPart {
  /** The module as written. */
  readonly module: string;
  /** The name in it; `*` for all, null for the module itself. */
  readonly name: string | null;
  /** The name here, or empty. */
  readonly alias: string;
  /** Where in the statement's text it stands, in UTF-16 units. */
  readonly offset: number;
  /** Passed on to whoever imports this file. */
  readonly isReexport?: boolean;
}

/** What a rule about visibility may look at. */
export interface Visible {
  /** Name of the definition. */
  readonly name: string;
  /** Its kind. */
  readonly kind: string;
  /** Its text from the begin to the name. */
  readonly header: string;
  /** Kind of what holds it; empty at the top level. */
  readonly parentKind: string;
}

/** The rules of one grammar. */
export interface LanguageQuery {
  /** How expressions are written, where the patterns say the types of names. */
  readonly spelling?: Spelling;
  /** The patterns. */
  readonly tags: string;
  /** What joins a receiver and a name; default a dot and `?.`. */
  readonly separators?: readonly string[];
  /** Whether other files can name it; undefined where the language does not say. */
  readonly isVisible?: (definition: Visible) => boolean | undefined;
  /**
   * The text with what commonly breaks the grammar blanked out, every place kept; tried on texts with errors.
   */
  readonly repair?: (text: string) => string;
  /** Whether what is called has its name apart from variables, which then hide no function. */
  readonly callsApart?: boolean;
  /** Whether a signature is all between the name and the `@body` of a function, because no node holds it. */
  readonly signsAfterName?: boolean;
  /** Whether neighbours of one name are the clauses of one definition. */
  readonly joinsClauses?: boolean;
  /** Whether what a function defines is known outside of it too. */
  readonly definesOutside?: boolean;
  /** Whether patterns bind a variable wherever it stands, so that only what sets it counts. */
  readonly bindsByWriting?: boolean;
  /** The names that an import statement brings in. */
  readonly importsOf?: (statement: string) => readonly ImportPart[];
  /** The name that a definition's or a reference's text means, where it is not the text itself. */
  readonly nameOf?: (text: string, kind: string) => string;
  /** The name that an import gives when it has no alias: default the name, or nothing. */
  readonly aliasOf?: (module: string, name: string | null) => string;
}
