/** The page of dependencies with its table of grammars made anew from their sources; everything else is written by hand. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SOURCES } from "../grammars/sources.ts";

const PAGE = join(fileURLToPath(new URL("../..", import.meta.url)), "docs", "dependencies.md");
const HEAD = "| package | version | licence | grammars |\n|---|---|---|---|\n";

/** The page as it stands, with a row for each package of grammars. */
export async function renderDependencies(): Promise<string> {
  const page = await Deno.readTextFile(PAGE);
  const start = page.indexOf(HEAD) + HEAD.length;
  if (start < HEAD.length) throw new Error("docs/dependencies.md has no table of grammars");
  const grammars = SOURCES.filter(({ name }) => name !== "web-tree-sitter");
  const rows = [...Map.groupBy(grammars, (one) => one.package)].map(([name, own]) => {
    const { version = "", licence = "", licenceFrom } = own[0] ?? {};
    const of = licenceFrom === undefined ? licence : `${licence} (the collection: Unlicense)`;
    return `| \`${name}\` | ${version} | ${of} | ${own.map((one) => one.name).join(", ")} |\n`;
  });
  return page.slice(0, start) + rows.join("") + page.slice(page.indexOf("\n\n", start) + 1);
}
