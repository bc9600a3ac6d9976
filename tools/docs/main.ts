/** Writes the generated pages: `deno task docs`; with `--check` it only names those out of date. */
import { dirname, join } from "node:path";
import { print, REPOSITORY } from "../task.ts";
import { findStalePages } from "./pages.ts";

const stale = await findStalePages();
const isCheck = Deno.args.includes("--check");
for (const page of stale) {
  const path = join(REPOSITORY, page.path);
  if (!isCheck) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, await page.render());
  }
  const line = isCheck ? `out of date: ${page.path}` : `written: ${page.path}`;
  print(line);
}
if (isCheck && stale.length > 0) Deno.exit(1);
