/** What others give for the same questions, run here: ripgrep in two ways, and plain BM25. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { walkFiles } from "../../src/backends/regular_files.ts";
import { runProcess } from "../../src/base/processes/process.ts";
import { buildMatchAny, splitWords } from "../../src/analysis/tokens.ts";

/** Ranks the files of one repository for questions; close it afterwards. */
export interface PlainRanker {
  rank(question: string): Promise<string[]> | string[];
  close(): void;
}

/** A way to rank, made for a repository at `root`; null where its program is missing. */
export type PlainRow = (root: string) => Promise<PlainRanker | null>;

const TIMEOUT_MS = 30_000;
const WINDOW_LINES = 50;
const WINDOW_HITS = 200;

/** The rows by their names, in order. */
export const PLAIN_ROWS: Readonly<Record<string, PlainRow>> = {
  "rg, the whole question": (root) => createRipgrep(root, (question) => [question]),
  "rg, a word at a time": (root) =>
    createRipgrep(root, (question) => question.match(/[\p{L}\p{N}_]+/gu) ?? []),
  "FTS5 BM25, 50-line windows": createWindows,
};

async function createRipgrep(
  root: string,
  toPatterns: (question: string) => readonly string[],
): Promise<PlainRanker | null> {
  const run = async (pattern: string) => {
    const args = ["--count-matches", "--ignore-case", "--fixed-strings", "--no-ignore", "--null"];
    return await runProcess("rg", [...args, "-e", pattern, "."], {
      cwd: root,
      timeoutMs: TIMEOUT_MS,
    });
  };
  try {
    await run("x");
  } catch {
    return null;
  }
  return {
    rank: async (question) => {
      const counts = new Map<string, number>();
      for (const pattern of toPatterns(question)) {
        const { stdout } = await run(pattern);
        for (const line of new TextDecoder().decode(stdout).split("\n")) {
          const [path, count] = line.split("\0");
          if (path === undefined || count === undefined) continue;
          const name = path.replace(/^\.\//, "");
          counts.set(name, (counts.get(name) ?? 0) + Number(count));
        }
      }
      return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) =>
        path
      );
    },
    close: () => {},
  };
}

async function createWindows(root: string): Promise<PlainRanker> {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE windows USING fts5(path UNINDEXED, words, tokenize='ascii')");
  const insert = db.prepare("INSERT INTO windows (path, words) VALUES (?, ?)");
  for (const path of await walkFiles(root, { includeIgnored: true })) {
    const lines = (await Deno.readTextFile(join(root, path))).split("\n");
    for (let at = 0; at < lines.length; at += WINDOW_LINES) {
      insert.run(path, splitWords(lines.slice(at, at + WINDOW_LINES).join("\n")));
    }
  }
  const select = db.prepare("SELECT path FROM windows WHERE words MATCH ? ORDER BY rank LIMIT ?");
  return {
    rank: (question) => {
      const match = buildMatchAny(question);
      if (match === null) return [];
      return [...new Set(select.all(match, WINDOW_HITS).map(({ path }) => String(path)))];
    },
    close: () => db.close(),
  };
}
