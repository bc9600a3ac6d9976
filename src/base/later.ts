/**
 * Objects whose code is loaded with the first call of one of their methods, so that a process that never calls them
 * does not read it.
 */

/** Something that is loaded once, when it is asked for first. */
export class Late<T> {
  readonly #load: () => Promise<T>;
  #opening: Promise<T> | undefined;

  /** @param load Makes it; called again after a failure. */
  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** What was asked for already, for calls that need not load it; undefined before that. */
  get opened(): Promise<T> | undefined {
    return this.#opening;
  }

  /** Loads it, or gives what is loaded. */
  open(): Promise<T> {
    this.#opening ??= this.#load().catch((failure) => {
      this.#opening = undefined;
      throw failure;
    });
    return this.#opening;
  }
}

/** A method that answers later. */
export type Method = (...args: never[]) => Promise<unknown>;

/**
 * An object with methods of something late, which is loaded by the first call of any. Calls keep their order.
 *
 * @param names every method; the type refuses a list that lacks one.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { Late, later } from "./later.ts";
 * const late = new Late(() => Promise.resolve({ greet: (name: string) => Promise.resolve(`Hello ${name}`) }));
 * const greeter = later(late, { greet: true });
 * deepEqual(late.opened, undefined);
 * deepEqual(await greeter.greet("Ada"), "Hello Ada");
 * ```
 */
export function later<T extends { readonly [Name in keyof T]: Method }>(
  late: Late<T>,
  names: Readonly<Record<keyof T, true>>,
): T {
  const made: Partial<Record<keyof T, Method>> = {};
  for (const name of Object.keys(names) as (keyof T)[]) {
    made[name] = async (...args) => await (await late.open())[name](...args);
  }
  return made as T;
}
