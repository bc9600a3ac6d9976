/** `dart test` and `flutter test`. Pure. */
import type { Runner } from "../runner.ts";
import { fileWords, proposeFor } from "../runner.ts";

/** The row. */
export const DART: Runner = {
  name: "dart test",
  languages: ["Dart"],
  programs: ["dart", "flutter"],
  files: {
    after: ["test"],
    valued:
      /^(?:-[nNtxpjr]|--(?:name|plain-name|tags|exclude-tags|platform|concurrency|reporter))$/,
    takesPaths: true,
  },
  guess: { command: (files) => `dart test ${fileWords(files)}` },
  setup: proposeFor(["pubspec.yaml"], (dir) => dir === "" ? ["dart", "test"] : []),
  coverage: { files: ["coverage/lcov.info"] },
};
