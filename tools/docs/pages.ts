/** The generated pages: one row a page. The tidy test compares them with what is on disk. */
import { join } from "node:path";
import { FEATURES } from "../../src/features/features.ts";
import { renderCli } from "./cli_page.ts";
import { renderConfiguration } from "./configuration_page.ts";
import { renderErrors, renderLimits } from "./errors_page.ts";
import { renderLayers } from "./layers_picture.ts";
import { renderPhases } from "./phases_page.ts";
import { PLUGIN_PAGES } from "./plugin_pages.ts";
import { renderDependencies, renderReadme, renderWhy } from "./readme.ts";
import { renderSetup } from "./setup_page.ts";
import { renderToolTable } from "./tool_table.ts";
import { renderTools } from "./tools_page.ts";
import { REPOSITORY } from "../task.ts";

/** A page that is made from tables of the source; of the README one row is. */
export interface Page {
  /** Path from the repository's root. */
  readonly path: string;
  readonly render: () => string | Promise<string>;
}

/** Every generated page. */
export const PAGES: readonly Page[] = [
  { path: "README.md", render: renderReadme },
  { path: "docs/cli.md", render: renderCli },
  { path: "docs/configuration.md", render: renderConfiguration },
  { path: "docs/dependencies.md", render: renderDependencies },
  { path: "docs/errors.md", render: renderErrors },
  { path: "docs/images/layers.svg", render: renderLayers },
  { path: "docs/limits.md", render: renderLimits },
  { path: "docs/phases.md", render: renderPhases },
  { path: "docs/setup.md", render: renderSetup },
  { path: "docs/tools.md", render: renderTools },
  { path: "docs/why.md", render: renderWhy },
  { path: "src/phase/table/tool_table.ts", render: renderToolTable },
  ...PLUGIN_PAGES,
  ...FEATURES.flatMap(({ docs = [] }) => docs),
];

/** The pages whose content on disk is not what the tables give now; `root` defaults to the repository. */
export async function findStalePages(root: string = REPOSITORY): Promise<readonly Page[]> {
  const stale: Page[] = [];
  for (const page of PAGES) {
    const found = await Deno.readTextFile(join(root, page.path)).catch(() => "");
    if (found !== await page.render()) stale.push(page);
  }
  return stale;
}
