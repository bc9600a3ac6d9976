/** Files of the tree that are no regular files: every search answers from the files of the project, and says what it left out. */
import { join } from "node:path";
import { match, ok, strictEqual as equal } from "node:assert/strict";
import type { Ground } from "./ground.ts";
import type { HostileRow } from "./row.ts";
import { testGroup } from "./row.ts";

/** Asks with a name that the index does not know, so that the files themselves are read. */
async function askTree(ground: Ground): Promise<void> {
  const found = await ground.call("search_text", { pattern: "login", fixed: true });
  equal(found.isError, false, found.text);
  ok(found.reply.total > 0, found.text);
  match(JSON.stringify(found.reply.notices ?? []), /special files? (?:was|were) not searched/);
  for (const tool of ["find_definitions", "find_references"]) {
    const unknown = await ground.call(tool, { symbol: "nobodyKnowsThis" });
    equal(unknown.isError, false, unknown.text);
  }
}

const PLACES: readonly (readonly [what: string, make: (ground: Ground) => Promise<void>])[] = [
  ["a link to an endless device", (ground) => ground.link("src/odd.ts", "/dev/zero")],
  [
    "a link to a file outside",
    (ground) => ground.link("src/odd.ts", join(ground.outside, "secret.txt")),
  ],
  ["a link to itself", (ground) => ground.link("src/odd.ts", "odd.ts")],
  [
    "a link of a folder to one outside",
    (ground) => ground.link("odd", join(ground.outside, "folder")),
  ],
  ["a link of a folder to the project", (ground) => ground.link("odd", ".")],
];

const UNTRACKED: readonly HostileRow[] = PLACES.map(([what, make]) => ({
  tried: `${what}, which git does not know`,
  plant: make,
  ask: askTree,
  undo: async (ground) => {
    await ground.clear("src/odd.ts");
    await ground.clear("odd");
  },
}));

const TRACKED: readonly HostileRow[] = [
  {
    tried: "a tracked file that gave way to a pipe",
    plant: (ground) => ground.pipe("src/kept.ts"),
    ask: askTree,
    undo: (ground) => ground.clear("src/kept.ts"),
  },
  {
    tried: "a tracked file that gave way to a device",
    plant: (ground) => ground.link("src/kept.ts", "/dev/zero"),
    ask: askTree,
    undo: (ground) => ground.clear("src/kept.ts"),
  },
  {
    tried: "the folder of a tracked file that gave way to a link outside",
    plant: async (ground) => {
      await Deno.writeTextFile(
        join(ground.outside, "folder", "deep.ts"),
        "login canary-0f9d2b7e\n",
      );
      await ground.link("kept", join(ground.outside, "folder"));
    },
    ask: askTree,
  },
];

testGroup("links, devices and pipes in the tree are left out of every search, and counted", {
  files: {
    "src/auth.ts": "export function login(name: string): boolean {\n  return name !== '';\n}\n",
    "src/kept.ts": "export const kept = 1;\n",
    "kept/deep.ts": "export const deep = 2;\n",
  },
  rows: [...UNTRACKED, ...TRACKED],
});
