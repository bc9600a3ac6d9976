/** Values that are made when they are first asked for, so that a process that never asks does not load their code. */

/** Makes a value at the first call, and gives the same one at each further call. */
export interface Lazy<T> {
  (): Promise<T>;
  /** What was asked for already, for callers that must not load it; undefined before that. */
  readonly started: Promise<T> | undefined;
}

/** Makes a value once. A failure is not kept: the next call tries again. */
export function loadOnce<T>(make: () => Promise<T>): Lazy<T> {
  let started: Promise<T> | undefined;
  const load = () =>
    started ??= make().catch((failure) => {
      started = undefined;
      throw failure;
    });
  return Object.defineProperty(load, "started", { get: () => started }) as Lazy<T>;
}

/** Members of an object that are no asynchronous methods, so that they cannot wait for it. */
type ImmediateKeys<T> = {
  [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<unknown> ? never : Name;
}[keyof T];

/**
 * An object whose methods load it when one of them is first called. Calls keep their order.
 *
 * @param own members that answer without loading: each that is no asynchronous method, and others at will.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { lazyObject, loadOnce } from "./lazy.ts";
 * const load = loadOnce(() => Promise.resolve({ greet: (name: string) => Promise.resolve(`Hello ${name}`) }));
 * const greeter = lazyObject(load, {});
 * deepEqual(load.started, undefined);
 * deepEqual(await greeter.greet("Ada"), "Hello Ada");
 * ```
 */
export function lazyObject<T extends object>(
  load: () => Promise<T>,
  own: Pick<T, ImmediateKeys<T>> & Partial<NoInfer<T>>,
): T {
  return new Proxy(own as T, {
    get: (target, name) => {
      // An object with `then` would be taken for a promise.
      if (name in target || name === "then" || typeof name === "symbol") {
        return target[name as keyof T];
      }
      return async (...args: never[]) => {
        const loaded = await load() as Readonly<Record<string, (...args: never[]) => unknown>>;
        return await loaded[name]?.(...args);
      };
    },
  });
}
