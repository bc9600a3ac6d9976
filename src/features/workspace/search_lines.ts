/**
 * Searches the lines of other repositories. Which files there are is told by the index of each; their lines are read from
 * the disk, so that what is shown stands there now.
 */
import type { LinesQuery } from "../../services/other_repositories.ts";
import type { ExploreOptions } from "../../explore/explorer.ts";
import type { ExplorerOptions } from "../../explore/index_access.ts";
import { searchText } from "../../explore/text_search.ts";
import type { Member } from "./member.ts";
import type { FoundPlaces } from "./places.ts";
import { MAX_PLACES } from "./places.ts";

/** What searches with. */
export type LineTools = Pick<ExplorerOptions, "backends" | "logger">;

/** The lines of each member that match, with exact totals; of patterns that cannot be used, nothing. */
export async function searchLines(
  members: readonly Member[],
  query: LinesQuery,
  { backends, logger, signal }: LineTools & ExploreOptions,
): Promise<readonly FoundPlaces[]> {
  const end = signal === undefined ? {} : { signal };
  const found: FoundPlaces[] = [];
  for (const member of members) {
    const files = member.snapshot(() =>
      [...member.view.listFiles(), ...member.view.listSkipped()].map(({ path }) => path)
    ).sort();
    const context = {
      projectRoot: member.root,
      listFiles: () => Promise.resolve(files),
      backends,
      logger,
      isBrief: true,
    };
    const input = { ...query, contextLines: 0, maxResults: MAX_PLACES };
    const answer = await searchText(context, input, end);
    if (answer.kind === "refused") return [];
    const places = answer.matches.map(({ path, line, text }) => ({
      path,
      line,
      what: "",
      hasText: true,
      text,
    }));
    found.push({ member, places, total: answer.total });
  }
  return found;
}
