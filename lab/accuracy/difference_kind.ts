/** What a kind of difference is. Pure. */

/** What the page says of a kind of difference. */
export interface KindText {
  /** Its name in the page. */
  readonly id: string;
  /** Whose doing: both are right in their own terms; the other program is wrong or blind; we are. */
  readonly cause: "terms" | "theirs" | "ours";
  /** One sentence. */
  readonly text: string;
}

/** A kind of difference between two lists. */
export interface DifferenceKind<T, Facts> extends KindText {
  readonly holds: (found: T, facts: Facts) => boolean;
}

/** A difference with its kind; null where no kind explains it. */
export interface Explained<T> {
  readonly found: T;
  readonly kind: KindText | null;
}

/** Gives each difference the first kind that holds. */
export function explain<T, Facts>(
  differences: readonly T[],
  kinds: readonly DifferenceKind<T, Facts>[],
  facts: Facts,
): Explained<T>[] {
  return differences.map((found) => ({
    found,
    kind: kinds.find(({ holds }) => holds(found, facts)) ?? null,
  }));
}

/** A pattern that matches the name itself. */
export function toPattern(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}
