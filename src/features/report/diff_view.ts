/** Shows hunks of a diff. It depends on its arguments alone. */
import { toCountText } from "../../base/text/plain_text.ts";
import { parseLocations } from "../../evidence/location.ts";
import type { Html } from "../../pages/html.ts";
import { markup } from "../../pages/html.ts";
import type { ReportFile } from "./report_schema.ts";

const MOST_LINES = 600;

/** The hunks of a file, with signs beside the colours; it can be scrolled by the keyboard. */
export function toDiffView(path: string, diff: string): Html {
  const lines = diff.replace(/\n$/, "").split("\n");
  const rest = lines.length - MOST_LINES;
  return markup`
    <pre class="diff" tabindex="0" role="region"
      aria-label="Changed lines of ${path}">${
    lines.slice(0, MOST_LINES).map((line) => markup`<span class="${toKind(line)}">${line}</span>`)
  }${rest > 0 ? markup`<span class="h">… ${toCountText(rest, "more line")}</span>` : null}</pre>
  `;
}

function toKind(line: string): string {
  return line.startsWith("@@") ? "h" : line.startsWith("+") ? "a" : line.startsWith("-") ? "r" : "";
}

/** The hunks in which the places of evidence lie, by file; empty where the diff does not show them. */
export function findEvidenceHunks(
  evidence: string,
  files: readonly ReportFile[],
): readonly { readonly path: string; readonly diff: string }[] {
  const places = parseLocations(evidence);
  return files.flatMap(({ path, diff }) => {
    const own = places.filter((place) => place.path === path);
    if (own.length === 0 || diff === null) return [];
    const hunks = diff.split(/^(?=@@ )/m).filter((hunk) => {
      const [, start = "0", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
      const [first, end] = [Number(start), Number(start) + Number(count)];
      return own.some((place) => place.kind !== "lines" || first <= place.end && end > place.start);
    });
    return hunks.length === 0 ? [] : [{ path, diff: hunks.join("") }];
  });
}
