/** The explorer, loaded with its first question: searches by meaning do without it. */
import { Late, later } from "../base/later.ts";
import type { Explorer } from "./explorer.ts";
import type { ExplorerOptions } from "./index_access.ts";

/** Makes an explorer of what `load` gives at the first question; nothing is opened before that. */
export function createLateExplorer(load: () => Promise<ExplorerOptions>): Explorer {
  const late = new Late(async () => {
    const [{ createExplorer }, options] = await Promise.all([
      import("./project_explorer.ts"),
      load(),
    ]);
    return createExplorer(options);
  });
  return later<Explorer>(late, {
    checkPath: true,
    searchText: true,
    searchFiles: true,
    findDefinitions: true,
    findReferences: true,
    getSymbols: true,
    analyzeStructure: true,
    getFunctionAtLine: true,
  });
}
