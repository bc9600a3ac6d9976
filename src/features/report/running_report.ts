/** The report of the running session, else of the one that ran last here, else of all: a page that follows the work. */
import { toProblemPage } from "../../pages/page.ts";
import type { LivePage } from "../../services/extension.ts";
import type { ReportSource } from "./gather.ts";
import { toOverviewPage } from "./overview_page.ts";
import { toReportPage } from "./report_page.ts";

/** Opens the page; it remembers which session ran last. */
export function openRunningReport(reports: ReportSource): LivePage {
  let last: string | undefined;
  return {
    readMark: () => reports.readMark(),
    draw: async () => {
      const running = await reports.session();
      if (running.kind === "report") last = running.report.session.id;
      const isGone = running.kind === "refused" && running.problem.code === "no_active_session";
      const found = isGone && last !== undefined ? await reports.session(last) : running;
      if (found.kind === "report") return toReportPage(found.report);
      if (!isGone) return toProblemPage(found.problem);
      const all = await reports.overview();
      return all.kind === "report" ? toOverviewPage(all.report) : toProblemPage(all.problem);
    },
  };
}
