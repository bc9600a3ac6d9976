/** The command `report`: what a session did and how it was verified, for people, pull requests and programs. */
import { toProblem } from "../../base/problem.ts";
import { createReportSource } from "./gather.ts";
import type { OverviewReport, SessionReport } from "./report_schema.ts";
import { toOverviewMarkdown } from "./overview_markdown.ts";
import { toOverviewPage } from "./overview_page.ts";
import { toReportMarkdown } from "./report_markdown.ts";
import { toReportPage } from "./report_page.ts";
import { withServices } from "../../cli/answer.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { givePage, readPagePlace, refuse, toPageOptions } from "../../cli/page_file.ts";

type Format = "html" | "markdown" | "json";

/** Draws a report in one of its forms, on standard output, into a file, or in the browser. */
export const REPORT: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel report session_20260131_142530_9f3a --open",
  options: [
    ...toPageOptions("Show the page in the browser", "Write it to this file"),
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
    const place = readPagePlace(invocation);
    const format = toFormat(invocation, place.isOpened || place.out !== null);
    if (place.isOpened && format !== "html") {
      const problem = toProblem("page_only", `The browser shows the page, not ${format}`, {
        at: "open",
        hint: "Leave --open or the format out.",
      });
      return await refuse(problem, invocation, "invalid_arguments");
    }
    const found = await withServices(invocation, async (services) => {
      const reports = createReportSource(services);
      return id === undefined ? await reports.overview() : await reports.session(id);
    });
    if (found.kind === "refused") return await refuse(found.problem, invocation);
    const text = draw(found.report, format);
    const isReadable = format === "markdown";
    const name = id ?? "sessions";
    return await givePage(text, { ...place, name, isReadable }, invocation);
  },
};

function toFormat({ options, isJson }: Invocation, isFile: boolean): Format {
  if (isJson) return "json";
  const format = options["format"];
  if (format === "html" || format === "markdown" || format === "json") return format;
  return isFile ? "html" : "markdown";
}

function draw(report: SessionReport | OverviewReport, format: Format): string {
  if (format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  if (report.kind === "session") {
    return format === "html" ? toReportPage(report) : toReportMarkdown(report);
  }
  return format === "html" ? toOverviewPage(report) : toOverviewMarkdown(report);
}
