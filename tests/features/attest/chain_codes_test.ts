/** The page about attested commits explains each answer as the program does. */
import { expectNone, ROOT } from "../../tidy/source_files.ts";
import { join } from "node:path";
import { CHAIN_CODES } from "../../../src/features/attest/chain_codes.ts";

Deno.test("docs/attest.md has a row for each code, with its weight and meaning", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/attest.md"));
  const rows = Object.entries(CHAIN_CODES).map(([code, { level, meaning }]) =>
    `| \`${code}\` | ${level} | ${meaning} |`
  );
  expectNone(rows.filter((row) => !page.includes(row)), "Add the row to the page.");
});
