/** The people who may borrow. */

/** A person with a card. */
export interface Member {
  readonly id: string;
  readonly name: string;
}

/** The name as it is printed: "Lovelace, A." */
export function toShortName(member: Member): string {
  const parts = member.name.split(" ");
  const last = parts.at(-1) ?? member.name;
  return parts.length === 1 ? last : `${last}, ${member.name.slice(0, 1)}.`;
}
