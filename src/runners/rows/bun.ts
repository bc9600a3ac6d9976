/** `bun test`. Pure. */
import type { Runner } from "../runner.ts";
import { guessByManifest, SCRIPT_LANGUAGES } from "../runner.ts";

/** The row. */
export const BUN: Runner = {
  name: "bun test",
  languages: SCRIPT_LANGUAGES,
  programs: ["bun"],
  files: {
    after: ["test"],
    valued: /^(?:-t|--(?:timeout|test-name-pattern|preload|rerun-each|reporter|reporter-outfile))$/,
  },
  guess: guessByManifest("bun test", /\bbun test\b/),
  coverage: { files: ["coverage/lcov.info"], node: "other text" },
  settings: { files: /bunfig\.toml/ },
};
