/** The command `report`: what a session did and how it was verified, for people, pull requests and programs. */
import { join, resolve } from "node:path";
import { writeFileAtomic } from "../../base/files/atomic_write.ts";
import { findProgram } from "../../base/processes/find_program.ts";
import { startDetached } from "../../base/processes/process.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { toRefusal } from "../../base/reply.ts";
import type { OverviewReport, SessionReport } from "../../report/mod.ts";
import {
  toOverviewMarkdown,
  toOverviewPage,
  toReportMarkdown,
  toReportPage,
} from "../../report/mod.ts";
import { closeSoon, openServices, printReply, toExitCode } from "../answer.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";

type Format = "html" | "markdown" | "json";

/** Draws a report in one of its forms, on standard output, into a file, or in the browser. */
export const REPORT: Command = {
  usage: "[SESSION]",
  positionals: [0, 1],
  example: "code-intel report session_20260131_142530_9f3a --open",
  options: [
    { name: "open", kind: "flag", summary: "Show the page in the browser" },
    { name: "out", kind: "text", value: "FILE", summary: "Write it to this file" },
    {
      name: "format",
      kind: "text",
      value: "FORMAT",
      values: ["html", "markdown", "json"],
      summary: "Default: html for --open and --out, markdown on standard output",
    },
  ],
  async run(invocation) {
    const { options, positionals: [id], projectDir } = invocation;
    const isOpened = options["open"] === true;
    const out = typeof options["out"] === "string" ? options["out"] : null;
    const format = toFormat(invocation, isOpened || out !== null);
    if (isOpened && format !== "html") {
      const problem = toProblem("page_only", `The browser shows the page, not ${format}`, {
        at: "open",
        hint: "Leave --open or the format out.",
      });
      return await refuse(problem, invocation, "invalid_arguments");
    }
    const opening = openServices(projectDir);
    const { reports } = await opening;
    const found = id === undefined ? await reports.overview() : await reports.session(id);
    await closeSoon(opening);
    if (found.kind === "refused") return await refuse(found.problem, invocation);
    const text = draw(found.report, format);
    const path = out !== null ? resolve(out) : isOpened ? await toTemporaryPath(id) : null;
    if (path === null) {
      await invocation.terminal.out(text);
      return 0;
    }
    await writeFileAtomic(path, text);
    await invocation.terminal.err(`written: ${path}\n`);
    return isOpened ? await open(path, invocation) : 0;
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

async function refuse(
  problem: Problem,
  invocation: Invocation,
  error?: "invalid_arguments",
): Promise<ExitCode> {
  const reply = toRefusal([problem], error);
  await printReply("get_session_status", reply, invocation);
  return toExitCode(reply);
}

/** A new folder of the user alone, so that nobody else can put another page in its place. */
async function toTemporaryPath(id: string | undefined): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "code-intel-report-" });
  return join(folder, `${id ?? "sessions"}.html`);
}

/** What opens a page, by system: a program and its arguments before the path. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  windows: ["explorer.exe"],
};

/** Longest time in which a program that opens pages says that it cannot. */
const OPEN_WAIT_MS = 3_000;

async function open(path: string, invocation: Invocation): Promise<ExitCode> {
  const [name, ...args] = OPENERS[Deno.build.os] ?? ["xdg-open"];
  const place = { cwd: invocation.projectDir, path: Deno.env.get("PATH") ?? "" };
  const program = await findProgram(name, place);
  const isStarted = program !== null &&
    await startDetached(program, [...args, path], OPEN_WAIT_MS).catch(() => false);
  if (isStarted || program !== null && Deno.build.os === "windows") return 0;
  const why = program === null ? `there is no ${name} here` : `${name} failed`;
  const problem = toProblem("no_browser", `The page could not be opened: ${why}`, {
    hint: `It is written; open ${path} in a browser by hand.`,
  });
  return await refuse(problem, invocation);
}
