/** All sessions as a page: outcomes over time, where work fails, and the list. Pure, save for the hash of its style. */
import { toBar, toColumns } from "./charts.ts";
import type { Html } from "../../pages/html.ts";
import type { PageSection } from "../../pages/page.ts";
import { toCountText, toTimeText } from "../../base/text/plain_text.ts";
import { code, markup, theirs } from "../../pages/html.ts";
import { toPage } from "../../pages/page.ts";
import type { OverviewReport } from "./report_schema.ts";

/** Draws the page. */
export function toOverviewPage(report: OverviewReport): string {
  const { all, notices, sessions } = report;
  return toPage({
    title: "Sessions of this project",
    header: markup`<p class="faint">Report of all sessions</p><h1>Sessions of this project</h1>
<p>${toCountText(all.total, "session")} with an outcome: ${
      toKey("success")
    }${all.success} succeeded, ${toKey("partial")}${all.partial} in part, ${
      toKey("failure")
    }${all.failure} failed.</p>
${notices.map((text) => markup`<p class="box warn">${theirs(text)}</p>`)}`,
    sections: [
      toMonths(report),
      toFailures(report),
      { id: "sessions", title: `Sessions (${sessions.length})`, body: toList(report) },
    ].filter((section) => section !== null),
  });
}

function toKey(kind: string): Html {
  return markup`<span class="key ${kind}"></span>`;
}

function toMonths({ by_month: months }: OverviewReport): PageSection | null {
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

function toFailures({ failures }: OverviewReport): PageSection | null {
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
            : markup`<ul>${row.causes.map((cause) => markup`<li>${theirs(cause)}</li>`)}</ul>`
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

function toList({ sessions }: OverviewReport): Html {
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
        theirs(
          row.request === "" ? "(request not on record)" : row.request,
        )
      }<br>${row.id === "" ? null : code(row.id)}</td>
            <td><span class="badge ${
        row.result === null ? "" : BADGES[row.result]
      }">${row.outcome}</span>${
        row.phase === null ? null : markup`
              <span class="faint">${row.phase}</span>
            `
      }${row.cause === null ? null : markup`<br>${theirs(row.cause)}`}</td>
            <td class="when">${toTimeText(row.at)}</td>
          </tr>
        `
    )
  }</tbody>
    </table>
  `;
}
