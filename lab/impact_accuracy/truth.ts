/** What a language's own tools say of a project: its definitions and who names them. Pure types. */

/** One definition that other files can name. */
export interface TruthDefinition {
  readonly id: string;
  readonly path: string;
  /** 1-based, of its name. */
  readonly line: number;
  readonly name: string;
  readonly kind: string;
}

/** One place that leads to a definition. */
export interface TruthReference {
  readonly path: string;
  readonly line: number;
  /** The definition that holds the place; null at the top of a file. */
  readonly within: string | null;
  readonly to: string;
}

/** Everything that was found. */
export interface Truth {
  readonly definitions: readonly TruthDefinition[];
  readonly references: readonly TruthReference[];
}
