/** Replies as an agent reads them: texts with calls in them as strings. */
import { Phrase } from "../../../src/base/text/words.ts";

/** The value with the words for an agent in place of every text with calls in it. */
export function toAgentWords(value: unknown): unknown {
  if (value instanceof Phrase) return String(value);
  if (Array.isArray(value)) return value.map(toAgentWords);
  const isPlain = typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toAgentWords(one)]));
}

/** An object whose methods answer with {@link toAgentWords} of what they would. */
export function speakToAgents<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== "function") return member;
      return async (...args: readonly unknown[]) =>
        toAgentWords(await Reflect.apply(member, object, args));
    },
  });
}
