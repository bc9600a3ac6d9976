/** Writes the generated pages: `deno task docs`; with `--check` it only names those out of date. */
import { join } from "node:path";
import { findStalePages, REPOSITORY } from "./pages.ts";

const stale = await findStalePages();
const isCheck = Deno.args.includes("--check");
for (const page of stale) {
  if (!isCheck) await Deno.writeTextFile(join(REPOSITORY, page.path), await page.render());
  const line = isCheck ? `out of date: ${page.path}` : `written: ${page.path}`;
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}
if (isCheck && stale.length > 0) Deno.exit(1);
