/** `docs/report.schema.json`: the form of `code-intel report --format json`, for programs of others. */
import { toReportSchema } from "../../src/features/report/report_schema.ts";

/** The file. */
export function renderReportSchema(): string {
  return `${JSON.stringify(toReportSchema(), null, 2)}\n`;
}
