/**
 * What the server over HTTP shows to a person in a browser: a page without anything of a session, and the report that its
 * script asks for with the token.
 */
import { createHash } from "node:crypto";
import { CodeIntelError } from "../../base/errors.ts";
import { toProblem } from "../../base/problem.ts";
import { PAGE_POLICY, toProblemPage } from "../../pages/page.ts";
import type { ReportSource } from "../report/gather.ts";
import { LIVE_POLICY, toLivePage } from "../report/live_page.ts";
import { toOverviewPage } from "../report/overview_page.ts";
import { toReportPage } from "../report/report_page.ts";

/** The reports that pages show. */
export type PageReports = Omit<ReportSource, "changedFiles">;

/** Answers the paths of people. */
export interface HttpPages {
  /** The page at `/`. */
  page(): Response;
  /** The report of the running session, else of the one that ran last here, else of all. */
  report(request: Pick<Request, "headers">): Promise<Response>;
}

/** Makes them; the reports are loaded with the first question. */
export function createHttpPages(loadReports: () => Promise<PageReports>): HttpPages {
  let last: string | undefined;
  return {
    page: () => toResponse(toLivePage(), LIVE_POLICY),
    report: async ({ headers }) => {
      const reports = await loadReports().catch(toExpected);
      if (reports instanceof CodeIntelError) {
        const { code, message, hint } = reports;
        return toResponse(toProblemPage(toProblem(code, message, { hint })), PAGE_POLICY);
      }
      const etag = `"${createHash("sha256").update(await reports.readMark()).digest("hex")}"`;
      if (headers.get("if-none-match") === etag) {
        return new Response(null, { status: 304, headers: { etag } });
      }
      const running = await reports.session();
      if (running.kind === "report") last = running.report.session.id;
      const isGone = running.kind === "refused" && running.problem.code === "no_active_session";
      const found = isGone && last !== undefined ? await reports.session(last) : running;
      return toResponse(await draw(reports, isGone, found), PAGE_POLICY, { etag });
    },
  };
}

/** A failure that has a page of its own, such as a folder that is no project. */
function toExpected(failure: unknown): CodeIntelError {
  if (failure instanceof CodeIntelError) return failure;
  throw failure;
}

async function draw(
  reports: PageReports,
  isGone: boolean,
  found: Awaited<ReturnType<ReportSource["session"]>>,
): Promise<string> {
  if (found.kind === "report") return toReportPage(found.report);
  if (!isGone) return toProblemPage(found.problem);
  const all = await reports.overview();
  return all.kind === "report" ? toOverviewPage(all.report) : toProblemPage(all.problem);
}

function toResponse(
  text: string,
  policy: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // A policy in a header can forbid frames, one in the page cannot.
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
