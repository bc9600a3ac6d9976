/** A place from which names are seen. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Whether the first name of the expression is bound in a block round the place; absent where nothing says it. */
  readonly isLocal?: boolean;
}
