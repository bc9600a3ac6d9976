/** `mix test` of Elixir. Pure. */
import type { Runner } from "../runner.ts";
import { fileWords, proposeFor } from "../runner.ts";

/** The row. */
export const MIX: Runner = {
  name: "mix test",
  languages: ["Elixir"],
  programs: ["mix"],
  reordered: ["--seed=1"],
  files: {
    after: ["test"],
    valued: /^--(?:only|exclude|include|seed|max-cases|max-failures|timeout|formatter)$/,
    flags: /^--(?:trace|color|no-color|warnings-as-errors|cover|slowest-modules)$/,
    refused: /^--(?:stale|failed|partitions)$/,
    takesPaths: true,
  },
  guess: { command: (files) => `mix test ${fileWords(files)}` },
  setup: proposeFor(["mix.exs"], (dir) => dir === "" ? ["mix", "test"] : []),
  settings: { files: /(?:spec|rails|test)_helper\.exs/ },
};
