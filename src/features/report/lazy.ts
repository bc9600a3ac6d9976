/** What reports are gathered by, loaded when one is asked for. */
import { Late, later } from "../../base/later.ts";
import type { ReportDeps, ReportSource } from "./gather.ts";

/** Makes the source; nothing is read before the first question. */
export function createReportSource(deps: ReportDeps): ReportSource {
  const late = new Late(async () => (await import("./gather.ts")).createReportSource(deps));
  return later<ReportSource>(late, {
    session: true,
    overview: true,
    changedFiles: true,
    readMark: true,
  });
}
