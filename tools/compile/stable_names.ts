/**
 * Names the modules of a bundle by what is in them. The bundler's names depend on the folder that it worked in, and
 * the same source is to give the same executable everywhere. Pure.
 */
import { createHash } from "node:crypto";

/** What the bundler adds to the names of modules that it made up or split off. */
const MADE_UP = /-[0-9A-Z]{8}(?=\.js$)/;
const HASH_CHARS = 8;

/**
 * The modules under names of their own, and named so where they import each other.
 *
 * A name is a hash of the text with the names of what it imports, which are such hashes too: all are made again as
 * long as that tells more of them apart. Modules may import each other in circles.
 *
 * @param modules text of each module by its name; all lie in one folder.
 * @throws {Error} when two modules cannot be told apart.
 */
export function toStableModules(
  modules: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const made = [...modules.keys()].filter((name) => MADE_UP.test(name));
  if (made.length === 0) return modules;
  const mentions = new RegExp(made.map((name) => RegExp.escape(name)).join("|"), "g");
  const rename = (text: string, names: ReadonlyMap<string, string>) =>
    text.replaceAll(mentions, (name) => names.get(name) ?? name);
  let names = new Map(made.map((name) => [name, name.replace(MADE_UP, "")]));
  for (let known = 0, found = new Set(names.values()).size; found > known;) {
    known = found;
    names = new Map(made.map((name) => {
      const hash = toHash(rename(modules.get(name) ?? "", names));
      return [name, name.replace(MADE_UP, `-${hash}`)];
    }));
    found = new Set(names.values()).size;
  }
  if (new Set(names.values()).size < made.length) {
    throw new Error("two modules of the bundle cannot be told apart");
  }
  return new Map(
    [...modules].map(([name, text]) => [names.get(name) ?? name, rename(text, names)]),
  );
}

function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}
