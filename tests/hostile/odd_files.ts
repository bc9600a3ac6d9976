/** What can stand in the place of a file, as rows: each kind with the words by which its refusal is known. */
import { join } from "node:path";
import type { Ground } from "./ground.ts";

/** A kind of thing that is no ordinary file. */
export interface OddFile {
  /** What it is, for the name of a row. */
  readonly what: string;
  /** What an answer says of it. */
  readonly said: RegExp;
  make(ground: Ground, path: string): Promise<void>;
}

/** Every kind; `said` fits the reasons of `src/base/files/regular_file.ts`. */
export const ODD_FILES: readonly OddFile[] = [
  {
    what: "a link to an endless device",
    said: /leads out of/,
    make: (ground, path) => ground.link(path, "/dev/zero"),
  },
  {
    what: "a pipe that nobody writes to",
    said: /is a pipe/,
    make: (ground, path) => ground.pipe(path),
  },
  {
    what: "a link to a file outside",
    said: /leads out of/,
    make: (ground, path) => ground.link(path, join(ground.outside, "secret.txt")),
  },
  {
    what: "a link that leads nowhere",
    said: /leads nowhere/,
    make: (ground, path) => ground.link(path, join(ground.outside, "absent")),
  },
  {
    what: "a link to itself",
    said: /in a circle/,
    make: (ground, path) => ground.link(path, path.split("/").at(-1) ?? ""),
  },
  {
    what: "a folder",
    said: /is a folder/,
    make: async (ground, path) => {
      await ground.clear(path);
      await Deno.mkdir(ground.at(path));
    },
  },
  {
    what: "a file of 64 MiB",
    said: /bytes, and at most/,
    make: (ground, path) => ground.sparse(path, 64 * 1024 ** 2),
  },
];
