/** Builds objects whose optional members are left out where they have no value. Pure. */

/** The members of an object; those that may be undefined become optional. */
export type WithoutUndefined<Fields> =
  & { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] }
  & {
    [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
      Fields[Key],
      undefined
    >;
  };

/** A copy without the members whose value is undefined, for types that want these absent. */
export function omitUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Fields>;
}
