/** The verification of a session as a section: commands, counts, and what they prove. Pure. */
import type { Html } from "../../pages/html.ts";
import type { PageSection } from "../../pages/page.ts";
import { toCountText, toDurationText, toTimeText } from "../../base/text/plain_text.ts";
import { code, markup, theirs } from "../../pages/html.ts";
import { toCoverageText, toMutantsText } from "./plain.ts";
import { toVerifiedText } from "./report_markdown.ts";
import type { ReportVerification, SessionReport } from "./report_schema.ts";

/** How certainly the work is verified, as a badge. */
export function toVerifiedBadge(report: SessionReport): Html {
  const { verified } = report.session;
  const kind = verified === "yes" ? "good" : verified === "no" ? "bad" : "warn";
  return markup`<span class="badge ${kind}">${toVerifiedText(report).replaceAll("*", "")}</span>`;
}

/** The section; null where the session never came so far. */
export function toVerificationSection(report: SessionReport): PageSection | null {
  const { verification, findings } = report;
  if (verification === null) return null;
  return {
    id: "verification",
    title: "Verification",
    body: markup`<p>${toVerifiedBadge(report)} ${toTimeText(verification.at)}, ${
      theirs(verification.place)
    }.</p>
${verification.passed ? null : markup`<p class="box bad quote">${theirs(verification.details)}</p>`}
<ul>${verification.commands.map(toCommand)}</ul>
${toProof(verification)}
${
      findings.length === 0 ? null : markup`
        <h3>Findings, and the agent's answers</h3>
        <ul>${
        findings.map(({ what, reason }) => markup`<li>${theirs(what)}: ${theirs(reason)}</li>`)
      }</ul>
      `
    }
${verification.differs_from_trust.map((text) => markup`<p class="box warn">${theirs(text)}</p>`)}`,
  };
}

function toCommand({ text, seconds, failures }: ReportVerification["commands"][number]): Html {
  return markup`<li>${code(text)}${
    seconds === null ? null : markup`
      <span class="faint">${toDurationText(seconds)}</span>
    `
  }${
    failures.length === 0
      ? null
      : markup`<ul>${failures.map((line) => markup`<li>${theirs(line)}</li>`)}</ul>`
  }</li>`;
}

function toProof(
  { proving, proves_nothing: nothing, lost, coverage, mutants }: ReportVerification,
): Html | null {
  const list = (title: string, rows: readonly string[]) =>
    markup`<li>${title}<ul>${rows.map((row) => markup`<li>${theirs(row)}</li>`)}</ul></li>`;
  const rows = [
    ...(proving === 0 ? [] : [
      markup`<li>${
        toCountText(
          proving,
          "test fails without the change, so it proves it",
          "tests fail without the change, so they prove it",
        )
      }.</li>`,
    ]),
    ...(nothing.length === 0 ? [] : [list("These tests pass without the change too:", nothing)]),
    ...(lost.length === 0 ? [] : [list("These ran before the work and no longer run:", lost)]),
    ...(coverage === null ? [] : [
      coverage.places.length === 0
        ? markup`<li>${toCoverageText(coverage)}</li>`
        : list(`${toCoverageText(coverage)}; these did not:`, coverage.places),
    ]),
    ...(mutants === null ? [] : [
      mutants.survivors.length === 0
        ? markup`<li>${toMutantsText(mutants)}</li>`
        : list(`${toMutantsText(mutants)}:`, mutants.survivors),
    ]),
  ];
  return rows.length === 0
    ? markup`<p class="faint">Nothing is known of what the tests prove.</p>`
    : markup`
      <h3>What the tests prove</h3>
      <ul>${rows}</ul>
    `;
}
