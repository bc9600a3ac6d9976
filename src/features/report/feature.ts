/** What reports add to the program: what became of sessions, as a command and as pages of the server over HTTP. */
import type { Feature } from "../../cli/command.ts";

/** Where the script of the live page asks for the report. */
export const REPORT_PATH = "/report";

/** The row. */
export const REPORT_FEATURE: Feature = {
  name: "report",
  commands: [{
    name: "report",
    summary: "Show what a session did and how it was verified, or how all of them went",
    load: async () => (await import("./report_command.ts")).REPORT,
  }],
  pages: [
    {
      kind: "open",
      path: "/",
      announcement: "the running session in a browser, with the token",
      draw: async () => (await import("./live_page.ts")).drawLivePage(),
    },
    {
      kind: "guarded",
      path: REPORT_PATH,
      open: async (services) => {
        const [{ createReportSource }, { openRunningReport }] = await Promise.all([
          import("./gather.ts"),
          import("./live_page.ts"),
        ]);
        return openRunningReport(createReportSource(services));
      },
    },
  ],
  docs: [{
    path: "docs/report.schema.json",
    render: async () => {
      const { buildReportSchema } = await import("./report_schema.ts");
      return `${JSON.stringify(buildReportSchema(), null, 2)}\n`;
    },
  }],
};
