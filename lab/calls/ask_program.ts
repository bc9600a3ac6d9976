/** Asks the program which calls it proves, through the door of references, name by name. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { Repository } from "../../src/git/repository.ts";
import { createExplorer } from "../../src/explore/project_explorer.ts";
import { openIndex } from "../harness/open_index.ts";
import type { CallEdge, JudgedCalls } from "./call_sites.ts";
import type { CompleteScore } from "./ask_complete.ts";
import { askComplete } from "./ask_complete.ts";

const ALL = 1_000_000;

/** Indexes the checkout below `scratch`, asks for every name, and for what is called complete. */
export async function askProgram(
  repo: Repository,
  judged: JudgedCalls,
  scratch: string,
): Promise<{ readonly edges: readonly CallEdge[]; readonly complete: CompleteScore }> {
  const names = [...new Set(judged.sites.map(({ name }) => name))].sort();
  const projectRoot = repo.worktree;
  const index = openIndex({
    projectRoot,
    folder: scratch,
    listFiles: (list) => listProjectFiles(repo, list),
    listDependsOn: [join(repo.gitDir, "index")],
  });
  try {
    await index.sync();
    const explorer = createExplorer({
      projectRoot,
      listFiles: (list = {}) => listProjectFiles(repo, list),
      backends: createBackends(),
      logger: SILENT_LOGGER,
      index,
    });
    const edges: CallEdge[] = [];
    for (const name of names) {
      const answer = await explorer.findReferences({
        symbol: name,
        includeText: false,
        maxResults: ALL,
      });
      if (answer.kind !== "found") continue;
      for (const { path, line, column, kind, definedAt } of answer.references) {
        const cut = definedAt?.lastIndexOf(":") ?? -1;
        if (kind !== "call" || definedAt === undefined) continue;
        const target = { path: definedAt.slice(0, cut), line: Number(definedAt.slice(cut + 1)) };
        edges.push({ path, line, column, name, target });
      }
    }
    return { edges, complete: await askComplete(repo, index, judged) };
  } finally {
    await index.close();
  }
}
