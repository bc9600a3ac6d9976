/** What a project of the matrix of proofs is: a base, the right change, and changes that are wrong. */

/** Texts by path; null for a file that is removed. */
export type Files = Readonly<Record<string, string | null>>;

/** Ways of a change to be wrong that a run of the tests alone may not show. */
export const WRONG_KINDS = {
  symptom: "symptom cured",
  overfit: "overfit to the test",
  hollow: "hollow",
  bound: "off by one",
  half: "half of the clauses",
  bent: "wrong and test bent",
  weakened: "test weakened",
  untested: "nothing tested",
  here: "works only here",
  cheat: "plugin cheat",
  removed: "removed test",
  dependent: "broken dependent outside the diff",
  trick: "test that cannot fail",
} as const;

/** A way to be wrong. */
export type WrongKind = keyof typeof WRONG_KINDS;

/** A change of a project. */
export interface MatrixChange {
  readonly kind: "right" | WrongKind;
  /** What is right or wrong about it, in a few words. */
  readonly what: string;
  readonly files: Files;
}

/** A small project. */
export interface MatrixProject {
  readonly name: string;
  readonly language: "C" | "Go" | "Java" | "JavaScript" | "Python" | "TypeScript";
  /** What is special about it, such as `red base`; empty for nothing. */
  readonly special: string;
  readonly run: readonly string[];
  /** The program that has to be there. */
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  readonly changes: readonly MatrixChange[];
}
