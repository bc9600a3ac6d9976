/** The user's folders: the same from a client that clears the environment. */
import { strictEqual as equal } from "node:assert/strict";
import { findCacheDir, findStateDir } from "../../../src/base/files/user_folders.ts";

Deno.test("findStateDir() depends on the home folder and nothing of XDG", () => {
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
    equal(findStateDir({ os, get: (name: string) => variables[name] }), state);
  }
});

Deno.test("findCacheDir() lies where the system keeps what may be removed, and can be moved", () => {
  const rows: readonly (readonly [string, Record<string, string>, string | null])[] = [
    ["linux", { HOME: "/home/ann" }, "/home/ann/.cache/code-intel"],
    ["linux", { HOME: "/home/ann", XDG_CACHE_HOME: "/other/" }, "/other/code-intel"],
    ["linux", { HOME: "/home/ann", XDG_CACHE_HOME: "other" }, "/home/ann/.cache/code-intel"],
    ["linux", { XDG_CACHE_HOME: "/other", CODE_INTEL_CACHE_DIR: "/c" }, "/c"],
    [
      "darwin",
      { HOME: "/Users/ann/", XDG_CACHE_HOME: "/other" },
      "/Users/ann/Library/Caches/code-intel",
    ],
    ["windows", { USERPROFILE: "C:\\U" }, "C:\\U/AppData/Local/code-intel/cache"],
    ["linux", { HOME: "/home/ann", CODE_INTEL_CACHE_DIR: "/c" }, "/c"],
    ["linux", {}, null],
  ];
  for (const [os, variables, cache] of rows) {
    equal(findCacheDir({ os, get: (name: string) => variables[name] }), cache);
  }
});
