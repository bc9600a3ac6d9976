/** Small charts as SVG. Each stands beside a table with its numbers. Pure. */
import type { Html } from "../../pages/html.ts";
import { markup } from "../../pages/html.ts";

/** Counts of outcomes. */
export interface Counts {
  readonly success: number;
  readonly partial: number;
  readonly failure: number;
}

const KINDS = ["success", "partial", "failure"] as const;
const COLUMN = { width: 28, gap: 12, height: 120, room: 24, left: 30 } as const;

/** Outcomes over time: a column for each span, failures on top. */
export function toColumns(
  label: string,
  rows: readonly (Counts & { readonly name: string; readonly total: number })[],
): Html {
  const most = Math.max(1, ...rows.map(({ total }) => total));
  const { width, gap, height, room, left } = COLUMN;
  const whole = Math.max(220, left + rows.length * (width + gap) + gap);
  const columns = rows.map((row, at) => {
    const x = left + gap + at * (width + gap);
    let y = height;
    const parts = KINDS.map((kind) => {
      const size = row[kind] / most * (height - 14);
      y -= size;
      return row[kind] === 0 ? null : markup`
        <rect class="${kind}" x="${x}" y="${y.toFixed(1)}" width="${width}"
          height="${size.toFixed(1)}" />
      `;
    });
    return markup`<g><title>${row.name}: ${row.success} succeeded, ${row.partial} in part, ${row.failure} failed</title>${parts}<text class="small" x="${
      x + width / 2
    }" y="${height + 15}" text-anchor="middle">${row.name.slice(2)}</text></g>`;
  });
  return markup`
    <div class="scroll" tabindex="0" role="group" aria-label="${label}">
      <svg width="${whole}" viewBox="0 0 ${whole} ${height + room}" role="img"
        aria-label="${label}; the table below has the numbers"><line class="axis" x1="${left}" y1="${height}" x2="${whole}" y2="${height}"/><text class="small" x="${
    left -
    6
  }" y="20" text-anchor="end">${most}</text><text class="small" x="${
    left -
    6
  }" y="${height}" text-anchor="end">0</text>${columns}</svg>
    </div>
  `;
}

/** A bar beside a number, of the width of its share. */
export function toBar(value: number, most: number, kind: "bar" | "failure" = "bar"): Html {
  const share = most === 0 ? 0 : Math.max(1, value / most * 100);
  return markup`
    <svg class="row" width="140" height="10" viewBox="0 0 100 10" preserveAspectRatio="none"
      aria-hidden="true">
      <rect class="${kind}" width="${share.toFixed(1)}" height="10" />
    </svg>
  `;
}
