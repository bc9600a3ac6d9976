/** What the tool `semantic_search` answers to a question: the lines that it shows, and how sure it is. */
import { createBackends } from "../../src/backends/detect.ts";
import { walkFiles } from "../../src/backends/regular_files.ts";
import { NO_ASKER } from "../../src/base/asker.ts";
import { LIMITS } from "../../src/base/settings/limits.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createMeaningSearch } from "../../src/explore/meaning/semantic_search.ts";
import type { LineRange } from "../../src/git/trees/changed_lines.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { PLAIN_SCALES } from "../../src/ranking/rank.ts";
import type { RankingMemory } from "../../src/ranking/content_facts.ts";
import type { Services } from "../../src/services/services_api.ts";
import { NO_REPOSITORIES } from "../../src/services/other_repositories.ts";
import { findTool } from "../../src/tools/tools.ts";
import type { RightLines } from "./queries.ts";

/** Lines of a file. */
export interface ShownLines extends LineRange {
  readonly path: string;
}

/** An answer as who asked reads it. */
export interface Answer {
  readonly confidence: string;
  readonly notices: readonly string[];
  readonly paths: readonly string[];
  /** The lines that it points at, in its order: of each hit its chunk, then its other chunks. */
  readonly pointed: readonly ShownLines[];
  /** The lines whose text it shows. */
  readonly printed: readonly ShownLines[];
}

/** Asks one repository. */
export type Ask = (question: string) => Promise<Answer>;

/** Makes what asks a repository by the tool itself, as a client does without any option. */
export function createAsk(root: string, index: CodeIndex, memory: RankingMemory): Ask {
  const meaning = createMeaningSearch({
    projectRoot: root,
    listFiles: () => walkFiles(root, { includeIgnored: true }),
    backends: createBackends({ env: { get: () => "none" } }),
    logger: SILENT_LOGGER,
    index,
    memory,
    isBrief: true,
    loadScales: () => Promise.resolve(PLAIN_SCALES),
  });
  // The tool asks nothing else of the services.
  const asked: Pick<Services, "meaning" | "openOthers"> & {
    readonly sessions: Pick<Services["sessions"], "findActive">;
  } = {
    meaning,
    sessions: { findActive: () => Promise.resolve(null) },
    openOthers: () => Promise.resolve(NO_REPOSITORIES),
  };
  const services = asked as Services;
  const row = findTool("semantic_search");
  if (row === undefined) throw new Error("there is no tool semantic_search");
  return async (question) => {
    const { reply } = await row.run(row.buildSchema().parse({ query: question.slice(0, 1_000) }), {
      services,
      signal: new AbortController().signal,
      maxBytes: LIMITS.replyDefaultBytes.value,
      via: "cli",
      asker: NO_ASKER,
      progress: () => {},
    });
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    return toAnswer(reply as unknown as Reply);
  };
}

interface Place {
  readonly start_line: number;
  readonly end_line: number;
}

/** As far as it is read here. */
interface Reply {
  readonly confidence: string;
  readonly notices?: readonly string[];
  readonly hits: readonly (Place & {
    readonly path: string;
    readonly content?: string;
    readonly content_line?: number;
    readonly more?: readonly Place[];
  })[];
}

function toAnswer({ confidence, notices = [], hits }: Reply): Answer {
  return {
    confidence,
    notices,
    paths: hits.map(({ path }) => path),
    pointed: hits.flatMap(({ path, more = [], ...own }) =>
      [own, ...more].map((one) => ({ path, start: one.start_line, end: one.end_line }))
    ),
    printed: hits.flatMap(({ path, content, start_line: first, content_line: start = first }) => {
      const lines = content?.replace(/\n…$/, "").split("\n").length ?? 0;
      return lines === 0 ? [] : [{ path, start, end: start + lines - 1 }];
    }),
  };
}

/** Lines that somebody reads before asking again. */
const READ_LINES = 200;

/** The share of the right lines that is among the first lines shown; of more right lines than these, as many count. */
export function toLineShare(shown: readonly ShownLines[], right: RightLines): number {
  const toKeys = ({ path, start, end }: ShownLines) =>
    Array.from({ length: end - start + 1 }, (_, at) => `${start + at}:${path}`);
  const read = new Set<string>();
  for (const key of shown.flatMap(toKeys)) {
    if (read.size < READ_LINES) read.add(key);
  }
  const wanted = new Set(
    Object.entries(right).flatMap(([path, ranges]) =>
      ranges.flatMap((range) => toKeys({ path, ...range }))
    ),
  );
  const found = [...wanted].filter((key) => read.has(key)).length;
  return wanted.size === 0 ? 0 : found / Math.min(READ_LINES, wanted.size);
}
