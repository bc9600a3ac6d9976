/** The user's folders: the same from a client that clears the environment. */
import { strictEqual as equal } from "node:assert/strict";
import { toStateDir } from "../../src/base/user_folders.ts";

Deno.test("toStateDir() depends on the home folder and nothing of XDG", () => {
  type Row = readonly [os: string, variables: Record<string, string>, state: string | null];
  const home = { HOME: "/home/ann", XDG_STATE_HOME: "/other" };
  const rows: readonly Row[] = [
    ["linux", home, "/home/ann/.local/state/code-intel"],
    ["freebsd", home, "/home/ann/.local/state/code-intel"],
    ["darwin", { HOME: "/Users/ann/" }, "/Users/ann/Library/Application Support/code-intel"],
    [
      "windows",
      { USERPROFILE: "C:\\Users\\ann", HOME: "/c/other" },
      "C:\\Users\\ann/AppData/Local/code-intel/state",
    ],
    ["linux", { ...home, CODE_INTEL_STATE_DIR: "/s" }, "/s"],
    ["linux", { CODE_INTEL_STATE_DIR: "" }, null],
    ["linux", { HOME: "" }, null],
  ];
  for (const [os, variables, state] of rows) {
    equal(toStateDir({ os, get: (name: string) => variables[name] }), state);
  }
});
