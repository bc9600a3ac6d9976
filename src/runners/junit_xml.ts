/** JUnit reports: what a command prints, what it was asked to write, and what builds write by themselves. Pure. */
import type { ReportFormat, TestReport } from "./report.ts";
import { addWritten, Tally } from "./report.ts";
import type { Runner } from "./runner.ts";

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
      type: readXmlAttribute(head, "classname"),
      name: readXmlAttribute(head, "name"),
      file: readXmlAttribute(head, "file"),
      outcome,
      message: readXmlAttribute(bad?.[2] ?? "", "message").split("\n")[0] ?? "",
    };
  });
}

/** Test cases by class and name. */
const readOutput: ReportFormat = (lines) => {
  if (!lines.some((line) => /^\s*<testsuites?\b/.test(line))) return null;
  const tally = new Tally("JUnit report");
  for (const { type, name: own, file, outcome, message } of listTestCases(lines.join("\n"))) {
    const name = [type, own].filter((part) => part !== "" && part !== "test").join(" > ");
    tally.note(outcome, name, message, file);
  }
  return tally.toReport();
};

/** The row of a report that a command prints, whichever runner made it. */
export const JUNIT_XML: Runner = {
  name: "JUnit report",
  languages: [],
  programs: [],
  reports: [readOutput],
  leaves: { folders: /test-reports/, files: /junit[^/]*\.xml/ },
};

/**
 * Adds to what a build printed what its reports name, one for each class: every test, also of a run that prints none.
 * The printed report itself where the two do not count alike, or name failures otherwise: then nobody knows which tests
 * are meant.
 */
export function addClassNames(
  runner: string,
): (printed: TestReport | null, xmls: readonly string[]) => TestReport | null {
  return (printed, xmls) => {
    const tally = new Tally(runner);
    const cases = xmls.flatMap(listTestCases);
    for (const { type, name, outcome, message } of cases) {
      tally.note(outcome, `${type}.${name}`, message, type);
    }
    if (cases.length === 0) return printed;
    const named = tally.toReport();
    const names = new Set(named.failures.map((failure) => failure.name));
    if (printed?.failures.some(({ name }) => !names.has(name)) === true) return printed;
    const added = addWritten(printed, named);
    if (added === printed) return printed;
    return { ...added, failures: named.failures, isComplete: named.isComplete };
  };
}

/** The value of an attribute in a tag; empty where it has none. */
export function readXmlAttribute(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return decodeXml(found?.[1] ?? found?.[2] ?? "");
}

/** A text of XML as it is meant: only the five names of XML itself, and line ends, stand for something. */
export function decodeXml(text: string): string {
  return text.replaceAll(/&(?:#10|lt|gt|quot|apos|amp);/g, (name) => NAMED[name] ?? name);
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ "&#10;": "\n", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" },
};
