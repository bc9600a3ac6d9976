/** Playwright's own runner. Pure. */
import type { Runner } from "../runner.ts";
import { BLOCK_SWITCHES, guessByManifest, SCRIPT_LANGUAGES } from "../runner.ts";

/** The row. */
export const PLAYWRIGHT: Runner = {
  name: "playwright test",
  languages: SCRIPT_LANGUAGES,
  programs: ["playwright"],
  guess: guessByManifest("npx playwright test", /"@playwright\/test"/),
  coverage: { node: "other text" },
  settings: { files: /playwright\.(?:config|conf|workspace|setup)\.\w+/ },
  switches: BLOCK_SWITCHES,
  leaves: { folders: /test-results|playwright-report/ },
};
