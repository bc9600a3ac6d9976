/** States without git of a folder, with every file kept, so that they can stand beside trees of git. */
import { join } from "node:path";
import { walkFiles } from "../../../src/backends/walk.ts";
import { ManifestTrees } from "../../../src/ledger/manifest_trees.ts";

const OPTIONS = { sessionId: "session_20260131_142530_9f3a", maxFileMb: 50, known: null } as const;

/** Makes the states of a folder; `write` also keeps each content. */
export function createManifestFolder(root: string) {
  const trees = new ManifestTrees({
    root,
    backupDir: join(root, ".git/code-intel-backup"),
    listFiles: (maxFiles) => walkFiles(root, { includeLinks: true, maxFiles }),
  });
  return {
    trees,
    async write(): Promise<string> {
      const tree = await trees.write(OPTIONS);
      await trees.keepVersions({ tree, paths: await walkFiles(root) });
      return tree;
    },
  };
}
