/**
 * Tells people what became of sessions: as data, as Markdown, and as a page.
 *
 * @module
 */
export type { ChangedFileText, FoundDependent, ReportFacts } from "./to_report.ts";
export { toSessionReport } from "./to_report.ts";
export { isReport, toReportSchema } from "./report_schema.ts";
export type { OverviewReport, ReportFile, SessionReport } from "./report_schema.ts";
export { toReportMarkdown } from "./report_markdown.ts";
export { createReportSource } from "./lazy.ts";
export type { ReportDeps, ReportResult, ReportSource } from "./gather.ts";
export { toReportPage } from "./report_page.ts";
export { toOverviewPage } from "./overview_page.ts";
export { toOverviewMarkdown } from "./overview_markdown.ts";
export { LIVE_POLICY, REPORT_PATH, toLivePage } from "./live_page.ts";
