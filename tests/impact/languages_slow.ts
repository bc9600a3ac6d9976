/** Imports of many languages, followed to what depends on a definition: each grammar has to be loaded. */
import { checkLanguages, COMMON_LANGUAGES, MORE_LANGUAGES } from "./language_cases.ts";

Deno.test("analyze() follows imports of many languages to those that depend on a definition", async () => {
  await checkLanguages(COMMON_LANGUAGES, MORE_LANGUAGES);
});
