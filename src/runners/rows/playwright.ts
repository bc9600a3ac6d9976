/** Playwright's own runner. Pure. */
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, fileWords, SCRIPT_LANGUAGES } from "../runner.ts";

/** The row. */
export const PLAYWRIGHT: Runner = {
  name: "playwright test",
  languages: SCRIPT_LANGUAGES,
  programs: ["playwright"],
  guess: {
    sources: ["package.json"],
    fits: ({ texts }) => /"@playwright\/test"/.test(texts["package.json"] ?? ""),
    command: (files) => `npx playwright test ${fileWords(files)}`,
  },
  coverage: { node: "other text" },
  settings: { files: String.raw`playwright\.(?:config|conf|workspace|setup)\.\w+` },
  switches: BLOCK_SWITCHES,
  leaves: { folders: "test-results|playwright-report" },
};
