/** Reads JUnit reports: what a command prints, and what it was asked to write. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally } from "./report.ts";

/** One test of a report. */
export interface TestCase {
  /** Its class, or what the runner puts in the place of one; may be empty. */
  readonly type: string;
  readonly name: string;
  /** Empty where the report has none. */
  readonly file: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  /** First line of what is said of a failure or an error. */
  readonly message: string;
}

const CASE = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

/** The test cases of a report in their order. */
export function listTestCases(xml: string): readonly TestCase[] {
  return [...xml.matchAll(CASE)].map(([, head = "", body = ""]) => {
    const bad = /<(failure|error)\b([^>]*)/.exec(body);
    const outcome = bad !== null
      ? bad[1] as "failure" | "error"
      : /<skipped\b/.test(body)
      ? "skipped"
      : "passed";
    return {
      type: toAttribute(head, "classname"),
      name: toAttribute(head, "name"),
      file: toAttribute(head, "file"),
      outcome,
      message: toAttribute(bad?.[2] ?? "", "message").split("\n")[0] ?? "",
    };
  });
}

/** Test cases by class and name. */
export const readJunitXml: ReportFormat = (lines) => {
  if (!lines.some((line) => /^\s*<testsuites?\b/.test(line))) return null;
  const tally = new Tally("JUnit report");
  for (const { type, name: own, file, outcome, message } of listTestCases(lines.join("\n"))) {
    const name = [type, own].filter((part) => part !== "" && part !== "test").join(" > ");
    if (outcome === "passed") tally.pass(name, file);
    else if (outcome === "skipped") tally.skip(name, file);
    else tally.fail(name, message, file);
  }
  return tally.toReport();
};

function toAttribute(head: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? "";
  return value.replaceAll("&#10;", "\n").replaceAll("&quot;", '"').replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
