/** All sessions as a page: outcomes over time, where work fails, and the list. Pure, except for the hash of its style. */
import type { Html } from "../../pages/html.ts";
import { bdi, code, markup } from "../../pages/html.ts";
import type { PageSection } from "../../pages/page.ts";
import { renderPage } from "../../pages/page.ts";
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { OverviewReport } from "./report_schema.ts";

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

/** Draws the page. */
export function renderOverviewPage(report: OverviewReport): string {
  const { all, notices, sessions } = report;
  return renderPage({
    title: "Sessions of this project",
    header: markup`<p class="faint">Report of all sessions</p><h1>Sessions of this project</h1>
<p>${formatCount(all.total, "session")} with an outcome: ${
      renderKey("success")
    }${all.success} succeeded, ${renderKey("partial")}${all.partial} in part, ${
      renderKey("failure")
    }${all.failure} failed.</p>
${notices.map((text) => markup`<p class="box warn">${bdi(text)}</p>`)}`,
    sections: [
      renderMonths(report),
      renderFailures(report),
      renderPrices(report),
      { id: "sessions", title: `Sessions (${sessions.length})`, body: renderList(report) },
    ].filter((section) => section !== null),
  });
}

function renderKey(kind: string): Html {
  return markup`<span class="key ${kind}"></span>`;
}

function renderMonths({ by_month: months }: OverviewReport): PageSection | null {
  if (months.length === 0) return null;
  return {
    id: "outcomes",
    title: "Outcomes by month",
    body: markup`
      ${toColumns("Outcomes by month", months.map((row) => ({ ...row, name: row.month })))}
      <details>
        <summary>The numbers</summary>
        <table>
          <thead>
            <tr>
              <th>Month</th>
              <th class="number">Succeeded</th>
              <th class="number">In part</th>
              <th class="number">Failed</th>
            </tr>
          </thead>
          <tbody>${
      months.map((row) =>
        markup`
              <tr>
                <td>${row.month}</td>
                <td class="number">${row.success}</td>
                <td class="number">${row.partial}</td>
                <td class="number">${row.failure}</td>
              </tr>
            `
      )
    }</tbody>
        </table>
      </details>
    `,
  };
}

function renderPrices({ prices = [] }: OverviewReport): PageSection | null {
  if (prices.length === 0) return null;
  const titles = ["Check", "Runs", "Seconds", "Paid", "Overridden"];
  return {
    id: "prices",
    title: "Prices of checks",
    body: markup`
      <p>Paid: findings that led to a change. Overridden: findings that were answered, or committed as they were.</p>
      <table>
        <thead><tr>${titles.map((title) => markup`<th>${title}</th>`)}</tr></thead>
        <tbody>${
      prices.map(({ name, runs, seconds, paid, overridden, once_in_ten: isRare }) =>
        markup`
            <tr>
              <td>${name.replaceAll("_", " ")}${isRare ? " (once in ten)" : ""}</td>
              ${
          [runs, seconds, paid, overridden].map((one) => markup`<td class="number">${one}</td>`)
        }
            </tr>
          `
      )
    }</tbody>
      </table>
    `,
  };
}

function renderFailures({ failures }: OverviewReport): PageSection | null {
  if (failures.length === 0) return null;
  const most = Math.max(...failures.map((row) => row.failures));
  return {
    id: "failures",
    title: "Where work fails",
    body: markup`
      <table class="stack">
        <thead>
          <tr>
            <th>Stage</th>
            <th>Failures</th>
            <th>Reasons on record, newest first</th>
          </tr>
        </thead>
        <tbody>${
      failures.map((row) =>
        markup`
            <tr>
              <td>${row.phase}</td>
              <td>${row.failures} ${toBar(row.failures, most, "failure")}</td>
              <td>${
          row.causes.length === 0
            ? markup`<span class="faint">none</span>`
            : markup`<ul>${row.causes.map((cause) => markup`<li>${bdi(cause)}</li>`)}</ul>`
        }</td>
            </tr>
          `
      )
    }</tbody>
      </table>
    `,
  };
}

const BADGES = { success: "good", partial: "warn", failure: "bad" } as const;

function renderList({ sessions }: OverviewReport): Html {
  return markup`
    <table class="stack">
      <thead>
        <tr>
          <th>Request</th>
          <th>Outcome</th>
          <th>When</th>
        </tr>
      </thead>
      <tbody>${
    sessions.map((row) =>
      markup`
          <tr>
            <td>${
        bdi(
          row.request === "" ? "(request not on record)" : row.request,
        )
      }<br>${row.id === "" ? null : code(row.id)}</td>
            <td><span class="badge ${
        row.result === null ? "" : BADGES[row.result]
      }">${row.outcome}</span>${
        row.phase === null ? null : markup`
              <span class="faint">${row.phase}</span>
            `
      }${row.cause === null ? null : markup`<br>${bdi(row.cause)}`}</td>
            <td class="when">${formatTime(row.at)}</td>
          </tr>
        `
    )
  }</tbody>
    </table>
  `;
}
