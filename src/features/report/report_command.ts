/** The command `report`: what a session did and how it was verified, for people, pull requests and programs. */
import { makeProblem } from "../../base/problem.ts";
import { createReportSource } from "./gather.ts";
import type { OverviewReport, SessionReport } from "./report_schema.ts";
import { formatOverview } from "./overview_markdown.ts";
import { renderOverviewPage } from "./overview_page.ts";
import { formatReport } from "./report_markdown.ts";
import { renderReportPage } from "./report_page.ts";
import { withServices } from "../../cli/answer.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { makePageOptions, printRefusal, readPageTarget, writePage } from "../../cli/page_file.ts";

type Format = "html" | "markdown" | "json";

/** Draws a report in one of its forms, on standard output, into a file, or in the browser. */
export const REPORT: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel report session_20260131_142530_9f3a --open",
  options: [
    ...makePageOptions("Show the page in the browser", "Write it to this file"),
    {
      name: "format",
      kind: "text",
      value: "FORMAT",
      values: ["html", "markdown", "json"],
      summary: "Default: html for --open and --out, markdown on standard output",
    },
  ],
  async run(invocation) {
    const { positionals: [id] } = invocation;
    const place = readPageTarget(invocation);
    const format = chooseFormat(invocation, place.isOpened || place.out !== null);
    if (place.isOpened && format !== "html") {
      const problem = makeProblem("page_only", `The browser shows the page, not ${format}`, {
        at: "open",
        hint: "Leave --open or the format out.",
      });
      return await printRefusal(problem, invocation, "invalid_arguments");
    }
    const found = await withServices(invocation, async (services) => {
      const reports = createReportSource(services);
      return id === undefined ? await reports.overview() : await reports.session(id);
    });
    if (found.kind === "refused") return await printRefusal(found.problem, invocation);
    const text = draw(found.report, format);
    const isReadable = format === "markdown";
    const name = id ?? "sessions";
    return await writePage(text, { ...place, name, isReadable }, invocation);
  },
};

function chooseFormat({ options, isJson }: Invocation, isFile: boolean): Format {
  if (isJson) return "json";
  const format = options["format"];
  if (format === "html" || format === "markdown" || format === "json") return format;
  return isFile ? "html" : "markdown";
}

function draw(report: SessionReport | OverviewReport, format: Format): string {
  if (format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  if (report.kind === "session") {
    return format === "html" ? renderReportPage(report) : formatReport(report);
  }
  return format === "html" ? renderOverviewPage(report) : formatOverview(report);
}
