/** Reads a JUnit report that a command prints. Pure. */
import type { ReportFormat } from "./report.ts";
import { Tally } from "./report.ts";

const CASE = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

/** Test cases by class and name. */
export const readJunitXml: ReportFormat = (lines) => {
  if (!lines.some((line) => /^\s*<testsuites?\b/.test(line))) return null;
  const tally = new Tally("JUnit report");
  for (const [, head = "", body = ""] of lines.join("\n").matchAll(CASE)) {
    const type = toAttribute(head, "classname");
    const name = [type, toAttribute(head, "name")].filter((part) => part !== "" && part !== "test")
      .join(" > ");
    const file = toAttribute(head, "file");
    const bad = /<(?:failure|error)\b([^>]*)/.exec(body);
    if (bad !== null) tally.fail(name, toAttribute(bad[1] ?? "", "message").split("\n")[0], file);
    else if (/<skipped\b/.test(body)) tally.skip(name, file);
    else tally.pass(name, file);
  }
  return tally.toReport();
};

function toAttribute(head: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? "";
  return value.replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
