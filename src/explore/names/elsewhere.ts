/** What is said of a name that stands outside of the limits of a question, or that nothing bears. */
import { findNearest } from "../../base/text/nearest.ts";
import { toCountText } from "../../base/text/plain_text.ts";
import { foldName } from "../../analysis/tokens.ts";
import type { LiveExplorerOptions } from "../../backends/live_context.ts";
import type { IndexView } from "../../index/read/view.ts";
import type { ScopeInput } from "../scope.ts";
import { resolveLimits } from "../scope.ts";
import { isCodePath } from "./nearest_definitions.ts";

/** The files of a question without its path and its language. */
export interface Everywhere {
  /** Whether a file would belong to the question. */
  readonly covers: (path: string) => boolean;
  /** The limits that were taken off, in words. */
  readonly limits: string;
}

/** Places that one notice names. */
const MAX_NAMED = 3;

/** Takes path and language off a question; null where it has neither. */
export async function toEverywhere(
  context: LiveExplorerOptions,
  { path, language, ...rest }: ScopeInput,
): Promise<Everywhere | null> {
  const limits = [
    ...path === undefined || path === "." ? [] : [`"${path}"`],
    ...language === undefined ? [] : [`files of ${language}`],
  ].join(" and ");
  if (limits === "") return null;
  const all = await resolveLimits(context, rest);
  return all.kind === "refused" ? null : { covers: all.covers, limits };
}

/** Says that a name is not within the limits of the question, and where it is. */
export function toElsewhereNotice(
  name: string,
  { limits }: Everywhere,
  { verb, places }: {
    readonly verb: "defined" | "named";
    readonly places: readonly { readonly path: string; readonly line: number }[];
  },
): string {
  const shown = places.slice(0, MAX_NAMED).map(({ path, line }) => `${path}:${line}`);
  const more = places.length > MAX_NAMED ? ", …" : "";
  const count = toCountText(places.length, "place", "places");
  return `"${name}" is not ${verb} in ${limits}; ${count} elsewhere: ${shown.join(", ")}${more}.`;
}

/** Letters that a mistyped name is taken to have right. */
const SURE_LETTERS = 2;
const MOST_LIKE = 2_000;

/** Says which names begin alike and differ little from one that stands nowhere; none where no name does. */
export function toMistypedNotices(view: IndexView, wanted: string): readonly string[] {
  const begin = foldName(wanted).slice(0, SURE_LETTERS);
  if (begin.length < SURE_LETTERS) return [];
  const { hits } = view.findSymbols({ name: begin, match: "prefix", limit: MOST_LIKE });
  const names = hits.filter(({ path }) => isCodePath(path)).map((hit) => hit.name);
  if (names.includes(wanted)) return [];
  const near = findNearest(wanted, names, { hasShortForms: false });
  return near.length === 0
    ? []
    : [`Nothing is called "${wanted}". Perhaps you mean ${near.join(" or ")}.`];
}
