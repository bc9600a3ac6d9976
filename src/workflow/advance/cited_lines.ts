/** Reads the lines that rules of the project cite, and what stands beside those that are blank. */
import type { ProjectPath } from "../../base/paths.ts";
import { clip } from "../../base/text/clip.ts";
import type { Facts } from "../../phase/mod.ts";
import { parsePlace } from "../../phase/mod.ts";

const CITED_CHARS = 160;
/** Where the line stands that was meant, when a blank one is cited. */
const NEARBY = [1, -1, 2, -2, 3, -3] as const;

/** The lines that sources of the form `path:lines` cite, each cut to be read at a glance. */
export async function readCited(
  sources: readonly string[],
  readLines: (path: ProjectPath) => Promise<readonly string[] | null>,
): Promise<Pick<Facts, "cited" | "nearby">> {
  const cited: Record<string, string> = {};
  const nearby: Record<string, readonly { readonly source: string; readonly text: string }[]> = {};
  await Promise.all([...new Set(sources)].map(async (source) => {
    const place = parsePlace(source);
    const lines = place === null ? null : await readLines(place.path as ProjectPath);
    if (place === null || lines === null || place.start < 1 || place.end > lines.length) return;
    const { path, start, end } = place;
    const text = lines.slice(start - 1, end).map((line) => line.trim()).join(" ");
    cited[source] = clip(text.trim(), CITED_CHARS);
    if (text.trim() !== "") return;
    nearby[source] = NEARBY.flatMap((step) => {
      const near = (lines[start - 1 + step] ?? "").trim();
      return near === "" ? [] : [{ source: `${path}:${start + step}`, text: near }];
    });
  }));
  return { cited, nearby };
}
