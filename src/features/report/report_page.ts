/** The report of one session as a page. Pure, except for the hash of its style. */
import {
  findEvidenceHunks,
  renderVerification,
  renderVerifiedBadge,
  toDiffView,
  toFileGraph,
  toTimelineSection,
} from "./verification_page.ts";
import type { Html } from "../../pages/html.ts";
import type { PageParts, PageSection } from "../../pages/page.ts";
import { formatCount, formatDuration, formatTime } from "../../base/text/plain_text.ts";
import { bdi, code, markup } from "../../pages/html.ts";
import { renderPage } from "../../pages/page.ts";
import { formatOutcome } from "./plain.ts";
import type { ReportFile, SessionReport } from "./report_schema.ts";

/** Draws the page: one file that loads nothing. */
export function renderReportPage(report: SessionReport): string {
  return renderPage(buildReportParts(report));
}

/** Title, header and sections of the page. */
export function buildReportParts(report: SessionReport): PageParts {
  const { session } = report;
  return {
    title: `${session.request.slice(0, 80)} (${session.id})`,
    header: renderHeader(report),
    sections: [
      renderForced(report),
      renderOverrides(report),
      renderRequest(report),
      renderVerification(report),
      renderTasks(report),
      renderFiles(report),
      toTimelineSection(report),
      renderLearned(report),
    ].filter((section) => section !== null),
  };
}

function renderHeader(report: SessionReport): Html {
  const { session, notices } = report;
  const isGood = session.end === "merged" || session.end === "completed";
  const isBad = session.end === "failed";
  const seconds = (Date.parse(session.last_at) - Date.parse(session.started_at)) / 1_000;
  return markup`<p class="faint">Report of a session</p>
<h1>${bdi(session.request)}</h1>
<p><span class="badge ${isGood ? "good" : isBad ? "bad" : "warn"}">${formatOutcome(session)}</span>
${renderVerifiedBadge(report)}</p>
<dl>
<dt>Session</dt><dd>${code(session.id)}</dd>
<dt>Time</dt><dd>${formatTime(session.started_at)}, ${formatDuration(Math.max(0, seconds))}</dd>
<dt>Kind of work</dt><dd>${session.intent}, gate ${session.gate_level}${
    session.risk === null ? null : `, risk ${session.risk}`
  }${
    session.size === null ? null : markup`; ${session.size.level}: ${bdi(session.size.because)}`
  }</dd>
${
    session.base_branch === null ? null : markup`
      <dt>Branch</dt>
      <dd>${
      session.task_branch === null ? null : markup`
        ${code(session.task_branch)} for
      `
    }${code(session.base_branch)}</dd>
    `
  }
${
    session.commits.length === 0 ? null : markup`
      <dt>Commits</dt>
      <dd>${
      session.commits.map((id) =>
        markup`
          ${code(id.slice(0, 12))}
        `
      )
    }</dd>
    `
  }
</dl>
${notices.map((text) => markup`<p class="box warn">${bdi(text)}</p>`)}`;
}

/** What the review still found when the work was completed all the same. */
function renderForced({ forced }: SessionReport): PageSection | null {
  if (forced.length === 0) return null;
  return {
    id: "forced",
    title: "Completion forced with open issues",
    body: markup`<div class="box warn"><ul>${
      forced.map((issue) => markup`<li>${bdi(issue)}</li>`)
    }</ul></div>`,
  };
}

/** What the user let pass stands first, so that nobody has to look for it. */
function renderOverrides({ overrides }: SessionReport): PageSection | null {
  if (overrides.length === 0) return null;
  return {
    id: "overrides",
    title: "Decisions of the person that changed the course",
    body: markup`${
      overrides.map((row) =>
        markup`
          <div class="box warn">
            <p><strong>${row.decision}</strong> at ${row.stage}, ${
          formatTime(
            row.at,
          )
        } (${row.source === "relayed" ? "relayed by the agent" : row.source})</p>
            <p class="quote">${bdi(row.reason)}</p>
          </div>
        `
      )
    }`,
  };
}

function renderRequest({ session, clauses, reproduced }: SessionReport): PageSection {
  const rows = clauses.map(({ clause, showed, on_record: isProven }) =>
    markup`<li>${bdi(clause)}<br>${
      showed === null
        ? markup`<span class="badge warn">nothing was shown for it</span>`
        : markup`<span class="badge ${isProven === false ? "" : "good"}">${
          isProven === false ? "the agent's word" : "shown"
        }</span> <span class="quote">${bdi(showed)}</span>`
    }</li>`
  );
  return {
    id: "request",
    title: "The request, and what was shown for it",
    body: markup`<blockquote class="box quote">${bdi(session.request)}</blockquote>
${
      clauses.length === 0
        ? markup`<p class="faint">No clause of the request asked for something to be shown.</p>`
        : markup`<ul>${rows}</ul>`
    }
${
      reproduced === null ? null : markup`
        <h3>The defect before the work</h3>
        <p>${code(reproduced.command)}</p>
        <p class="quote">${bdi(reproduced.showed)}</p>
      `
    }`,
  };
}

const RAN = {
  all: ["good", "ran"],
  some: ["warn", "ran in part"],
  none: ["bad", "did not run"],
} as const;

function renderTasks({ tasks, files }: SessionReport): PageSection | null {
  if (tasks.length === 0) return null;
  return {
    id: "tasks",
    title: "Tasks",
    body: markup`${
      tasks.map((task) =>
        markup`<h3>${bdi(task.description)} <span class="badge ${
          task.status === "completed" ? "good" : "warn"
        }">${task.status}</span></h3>
${task.failures === 0 ? null : markup`<p>${formatCount(task.failures, "failed verification")}.</p>`}
<ul class="plain">${task.items.map((item) => renderItem(item, files ?? []))}</ul>`
      )
    }`,
  };
}

function renderItem(
  item: SessionReport["tasks"][number]["items"][number],
  files: readonly ReportFile[],
): Html {
  const hunks = item.evidence === null ? [] : findEvidenceHunks(item.evidence, files);
  const [kind, words] = item.ran === null ? ["", ""] : RAN[item.ran];
  return markup`<li>${item.status === "done" ? "✓" : item.status === "skipped" ? "–" : "○"} ${
    bdi(item.item)
  } <span class="faint">${item.status}</span>${
    item.ran === null ? null : markup`
      <span class="badge ${kind}">${words}</span>
    `
  }${item.reason === null ? null : markup`<br><span class="quote">${bdi(item.reason)}</span>`}${
    item.evidence === null || hunks.length > 0 ? null : markup`<br>${code(item.evidence)}`
  }${
    hunks.length === 0
      ? null
      : markup`<details><summary>${code(item.evidence ?? "")}</summary>${
        hunks.map(({ path, diff }) => toDiffView(path, diff))
      }</details>`
  }</li>`;
}

function renderFiles(report: SessionReport): PageSection | null {
  const { files, dependents, together, recorded } = report;
  if (files === null) return null;
  const kept = files.filter(({ discarded }) => !discarded);
  const graph = toFileGraph({
    changed: kept.map(({ path }) => path),
    dependents: dependents ?? [],
  });
  return {
    id: "files",
    title: `Changed files (${kept.length})`,
    body: markup`${kept.length === 0 ? markup`<p class="faint">Nothing was changed.</p>` : null}
${
      together.length === 0 ? null : markup`
        <div class="box warn">
          <p>These usually change together with the changed files, and did not:</p>
          <ul>${
        together.map((row) =>
          markup`<li>${code(row.path)}: in ${row.times} of ${
            formatCount(row.of, "commit")
          } that changed ${code(row.with)}</li>`
        )
      }</ul>
        </div>
      `
    }
${
      files.some(({ not_run: idle = [] }) => idle.length > 0)
        ? markup`<p class="faint diff-key"><span class="idle">+</span> in a function that no recorded test runs (${
          recorded ?? null
        })</p>`
        : null
    }
<ul class="plain">${files.map(renderFile)}</ul>
${graph === null ? null : markup`<h3>What depends on them</h3>${graph}`}
${renderDependents(dependents)}`,
  };
}

function renderFile(file: ReportFile): Html {
  const { not_run: idle = [] } = file;
  const counts = file.added === null ? "binary" : `+${file.added} −${file.removed ?? 0}`;
  const name = markup`${code(file.path)} <span class="faint">${file.kind}${
    file.from === null ? null : markup`
      from ${bdi(file.from)}
    `
  }, ${counts}${
    idle.length === 0
      ? ""
      : `, ${formatCount(idle.length, "added line")} in functions that no recorded test runs`
  }${file.discarded ? ", discarded at the review" : ""}</span>`;
  if (file.diff === null || file.diff === "") {
    const why = file.added === null || file.diff === ""
      ? ""
      : " (its lines are left out for the length of this page)";
    return markup`<li>${name}${why}</li>`;
  }
  return markup`
    <li>
      <details><summary>${name}</summary>${toDiffView(file.path, file.diff, idle)}</details>
    </li>
  `;
}

const MOST_LISTED = 100;

function renderDependents(dependents: SessionReport["dependents"]): Html | null {
  if (dependents === null) {
    return markup`<p class="faint">The index cannot tell what depends on them.</p>`;
  }
  if (dependents.length === 0) return markup`<p class="faint">Nothing else leads to them.</p>`;
  const rest = dependents.length - MOST_LISTED;
  return markup`<details><summary>${
    formatCount(dependents.length, "dependent file")
  }, and what was decided about them</summary><table class="stack"><thead><tr><th>File</th><th>Depends on</th><th>Decision</th></tr></thead><tbody>${
    dependents.slice(0, MOST_LISTED).map((row) =>
      markup`
        <tr>
          <td>${code(row.path)}</td>
          <td>${
        row.on.map((path) =>
          markup`
              ${code(path)}
            `
        )
      }${row.is_proven ? null : markup`<span class="faint">by name</span>`}</td>
          <td>${
        row.decision === null
          ? markup`<span class="faint">nobody was asked</span>`
          : markup`${row.decision.replaceAll("_", " ")}${
            row.reason === null ? null : markup`: ${bdi(row.reason)}`
          }`
      }</td>
        </tr>
      `
    )
  }</tbody></table>${rest > 0 ? markup`<p class="faint">and ${rest} more</p>` : null}</details>`;
}

function renderLearned({ learned, quality }: SessionReport): PageSection | null {
  if (learned.length === 0 && quality === null) return null;
  return {
    id: "learned",
    title: "Review and what was learned",
    body: markup`${
      quality === null
        ? null
        : markup`<p>Quality review: ${bdi(quality.score)}</p>${
          quality.issues.length === 0
            ? null
            : markup`<ul>${quality.issues.map((text) => markup`<li>${bdi(text)}</li>`)}</ul>`
        }`
    }
${
      learned.length === 0 ? null : markup`
        <p>Words of requests that turned out to mean symbols:</p>
        <ul>${
        learned.map((row) =>
          markup`<li>${
            row.terms.map((term) =>
              markup`
                “${bdi(term)}”
              `
            )
          }means ${
            row.symbols.map((name) =>
              markup`
                ${code(name)}
              `
            )
          }<span class="faint">(agreements/${bdi(row.file)})</span></li>`
        )
      }</ul>
      `
    }`,
  };
}
