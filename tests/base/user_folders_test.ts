/** The user's folders: the same from a client that clears the environment. */
import { strictEqual as equal } from "node:assert/strict";
import { toCacheDir, toStateDir } from "../../src/base/user_folders.ts";

Deno.test("toStateDir() and toCacheDir() depend on the home folder and nothing of XDG", () => {
  type Row = readonly [
    os: string,
    variables: Record<string, string>,
    state: string | null,
    cache: string | null,
  ];
  const home = { HOME: "/home/ann", XDG_STATE_HOME: "/other", XDG_CACHE_HOME: "/other" };
  const rows: readonly Row[] = [
    ["linux", home, "/home/ann/.local/state/code-intel", "/home/ann/.cache/code-intel"],
    ["freebsd", home, "/home/ann/.local/state/code-intel", "/home/ann/.cache/code-intel"],
    [
      "darwin",
      { HOME: "/Users/ann/" },
      "/Users/ann/Library/Application Support/code-intel",
      "/Users/ann/Library/Caches/code-intel",
    ],
    [
      "windows",
      { USERPROFILE: "C:\\Users\\ann", HOME: "/c/other" },
      "C:\\Users\\ann/AppData/Local/code-intel/state",
      "C:\\Users\\ann/AppData/Local/code-intel/cache",
    ],
    ["linux", { ...home, CODE_INTEL_STATE_DIR: "/s", CODE_INTEL_CACHE_DIR: "/c" }, "/s", "/c"],
    ["linux", { CODE_INTEL_STATE_DIR: "" }, null, null],
    ["linux", { HOME: "" }, null, null],
  ];
  for (const [os, variables, state, cache] of rows) {
    const environment = { os, get: (name: string) => variables[name] };
    equal(toStateDir(environment), state);
    equal(toCacheDir(environment), cache);
  }
});
