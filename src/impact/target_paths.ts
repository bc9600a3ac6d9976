/** Reads the files of a question about impact: no patterns, and of a place in a file the file. */
import { join } from "node:path";
import { readStampText } from "../base/files/file_stamp.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { argument, say, tool } from "../base/text/words.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { resolveLinkAbove } from "../base/files/project_folder.ts";

/** The files that are asked about, relative to the project, and what is wrong with the others. */
export function parseTargetPaths(
  root: string,
  files: readonly string[],
): {
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
} {
  const plain = files.map((path) => removeLines(root, path));
  const parsed = plain.map((path, at) =>
    parseRepoPath(root, resolveLinkAbove(root, path), `target_files[${at}]`)
  );
  const places = files.filter((path, at) => plain[at] !== path);
  return {
    notices: places.map((path) =>
      `${path}: the whole file is the target; name a symbol of these lines for less.`
    ),
    paths: parsed.flatMap((one) => one.kind === "path" ? [one.path] : []),
    problems: [
      ...parsed.flatMap((one) => one.kind === "refused" ? [one.problem] : []),
      // As the name of a file it would be one to come, on which nothing depends.
      ...files.flatMap((path, at) =>
        !/[*?]/.test(path) ? [] : [makeProblem("invalid_value", `"${path}" is a pattern`, {
          at: `target_files[${at}]`,
          hint: say`Name its files (${tool("search_files", { pattern: path })}), or \`${
            argument("symbols")
          }\`.`,
        })]
      ),
    ],
  };
}

/** The file of a place such as `a.ts:12`, which no file is called: as a file to come nothing would depend on it. */
function removeLines(root: string, path: string): string {
  const file = /^(.+?):\d+(?:-\d+)?$/.exec(path)?.[1];
  const isThere = (name: string) => readStampText(join(root, name)) !== null;
  return file !== undefined && !isThere(path) && isThere(file) ? file : path;
}
