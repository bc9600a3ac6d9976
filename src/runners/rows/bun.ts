/** `bun test`. Pure. */
import type { Runner } from "../runner.ts";
import { fileWords, SCRIPT_LANGUAGES } from "../runner.ts";

/** The row. */
export const BUN: Runner = {
  name: "bun test",
  languages: SCRIPT_LANGUAGES,
  programs: ["bun"],
  files: {
    after: ["test"],
    valued: /^(?:-t|--(?:timeout|test-name-pattern|preload|rerun-each|reporter|reporter-outfile))$/,
  },
  guess: {
    sources: ["package.json"],
    fits: ({ texts }) => /\bbun test\b/.test(texts["package.json"] ?? ""),
    command: (files) => `bun test ${fileWords(files)}`,
  },
  coverage: { files: ["coverage/lcov.info"], node: "other text" },
  settings: { files: String.raw`bunfig\.toml` },
};
