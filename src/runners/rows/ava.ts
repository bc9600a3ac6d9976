/** AVA, which prints TAP where it is asked to. Pure. */
import type { Runner } from "../runner.ts";
import { guessByManifest, SCRIPT_LANGUAGES } from "../runner.ts";

/** The row. */
export const AVA: Runner = {
  name: "ava",
  languages: SCRIPT_LANGUAGES,
  programs: ["ava"],
  onlyTests: true,
  files: {
    valued: /^(?:-[cmT]|--(?:config|match|timeout|concurrency))$/,
    flags: /^(?:-[stv]|--(?:serial|tap|verbose|fail-fast))$/,
    takesPaths: true,
  },
  guess: guessByManifest("npx ava", /"ava"/),
  coverage: { node: "same text" },
  watch: { tracer: "node", unit: "file" },
  settings: {
    files: /ava\.(?:config|conf|workspace|setup)\.\w+/,
    lines: [[/(?:^|\/)package\.json$/, /"ava"\s*:/]],
  },
};
