/**
 * Leads the imports of a source past the doors of its folders, to the files that define what they name. In the source a
 * folder is entered through its `mod.ts`; a bundle made of that would read whole folders for one function of each, because
 * the bundler cannot know that a module which nobody names has nothing else to do. Pure.
 */
import { dirname, join, relative } from "node:path/posix";

/** An import or a re-export of names, as `deno fmt` writes it; those of types alone are left out of a bundle anyway. */
const NAMED = /^(import|export) \{([^}]*)\} from "(\.[^"]+)";$/gm;
const DOOR = "mod.ts";

/** What a name stands for: the file that defines it, and its name there. */
interface Origin {
  readonly path: string;
  readonly name: string;
}

/**
 * The source with its imports led past the doors.
 *
 * @param texts text of each file by its path from the top of the source.
 * @throws {Error} when a door does not export what is imported through it.
 */
export function leadPastDoors(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const doors = new Map(
    [...texts].filter(([path]) => isDoor(path)).map(([path, text]) => [path, readDoor(path, text)]),
  );
  const led = new Map<string, string>();
  for (const [path, text] of texts) {
    led.set(
      path,
      text.replaceAll(NAMED, (statement, word, list, target) => {
        const door = join(dirname(path), target);
        return doors.has(door) ? toDirect(toNames(list), { path, door, doors, word }) : statement;
      }),
    );
  }
  return led;
}

function isDoor(path: string): boolean {
  return path === DOOR || path.endsWith(`/${DOOR}`);
}

/** The names that a door exports; types too, which do no harm. */
function readDoor(path: string, text: string): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const [, word, list = "", target = ""] of text.matchAll(NAMED)) {
    if (word !== "export") continue;
    for (const { name, as } of toNames(list)) {
      origins.set(as, { path: join(dirname(path), target), name });
    }
  }
  return origins;
}

/** One name of a list, and what it is called where the list stands. */
function toNames(list: string): readonly { readonly name: string; readonly as: string }[] {
  return list.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) => {
    const [name = "", as = name] = part.split(/ as /);
    return { name, as };
  });
}

/** The statements that import or export the names from where they are defined. */
function toDirect(
  names: readonly { readonly name: string; readonly as: string }[],
  { path, door, doors, word }: {
    readonly path: string;
    readonly door: string;
    readonly doors: ReadonlyMap<string, ReadonlyMap<string, Origin>>;
    readonly word: string;
  },
): string {
  const byFile = new Map<string, string[]>();
  for (const { name, as } of names) {
    // A type has no value to import: `deno lint` has it in a statement of its own.
    const origin = toOrigin(door, name.replace(/^type /, ""), doors);
    const parts = byFile.get(origin.path) ?? [];
    byFile.set(origin.path, [...parts, origin.name === as ? as : `${origin.name} as ${as}`]);
  }
  return [...byFile].map(([file, parts]) => {
    const target = relative(dirname(path), file);
    const from = target.startsWith(".") ? target : `./${target}`;
    return `${word} { ${parts.join(", ")} } from "${from}";`;
  }).join(" ");
}

/** Where a name comes from in the end: a door may export what came through another one. */
function toOrigin(
  door: string,
  name: string,
  doors: ReadonlyMap<string, ReadonlyMap<string, Origin>>,
): Origin {
  const origin = doors.get(door)?.get(name);
  if (origin === undefined) throw new Error(`${door} does not export ${name}`);
  return doors.has(origin.path) ? toOrigin(origin.path, origin.name, doors) : origin;
}
