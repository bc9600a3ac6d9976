/** The comparison that needs no index: files that hold one of some words. */
import { createBackends } from "../../src/backends/detect.ts";
import { listFilesByScan } from "../../src/backends/text_scan.ts";
import { listFilesWithRipgrep } from "../../src/backends/ripgrep.ts";

const backends = createBackends();

/** Files of the list with one of the words as a whole word. */
export async function grepFiles(
  root: string,
  files: readonly string[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = {
    patterns: [...new Set(words)],
    fixed: true,
    caseSensitive: true,
    wholeWord: true,
    contextLines: 0,
  };
  const scope = { root, files, offset: 0, maxResults: 0 };
  const { path } = await backends.rg();
  const found = path === undefined
    ? await listFilesByScan(query, scope)
    : await listFilesWithRipgrep(path, query, scope);
  return new Set(found);
}
