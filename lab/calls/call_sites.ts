/** What a compiler says of the calls of a project, and what the program answers for them. Pure types. */

/** A place by its file and line. */
export interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * What a call leads to. `body`: a declaration of the project that runs. `declared`: one of the project without a body,
 * such as a member of an interface. `outside`: something of another project. `value`: what a parameter or a local
 * variable holds, so that no declaration is meant. `none`: no call at all, such as a conversion. `unknown`: the compiler
 * cannot tell.
 */
export type SiteKind = "body" | "declared" | "outside" | "value" | "none" | "unknown";

/** One call as the compiler sees it. */
export interface CallSite extends Place {
  /** 1-based, of the name that is called. */
  readonly column: number;
  readonly name: string;
  readonly kind: SiteKind;
  /** Every declaration that counts as the right answer: overloads, a class and its constructor. */
  readonly targets: readonly Place[];
}

/** The calls of the files that a compiler read, without tests. */
export interface JudgedCalls {
  /** The compiler and its version. */
  readonly judge: string;
  readonly files: readonly string[];
  readonly sites: readonly CallSite[];
}

/** One call that the program proves to lead to a definition. */
export interface CallEdge extends Place {
  readonly column: number;
  readonly name: string;
  readonly target: Place;
}
