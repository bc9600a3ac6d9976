/** `docs/conformance.md`, from what the runs found and the table of exceptions. */
import { fillPage, toTable, toWord } from "../docs/markdown.ts";
import type { InspectorRun } from "./inspector.ts";
import type { Exception, Verdict } from "./judge.ts";
import EXCEPTIONS from "./not_applicable.json" with { type: "json" };
import { CONFORMANCE, INSPECTOR, REVISIONS } from "./suite.ts";

const SHOWN = { passed: "passed", not_applicable: "–", failed: "**FAILED**" } as const;

/** The page as text. */
export function renderPage(
  template: string,
  verdicts: readonly Verdict[],
  inspected: readonly InspectorRun[],
): string {
  const scenarios = [...new Set(verdicts.map(({ scenario }) => scenario))].sort();
  const applying = scenarios.filter((scenario) =>
    verdicts.some((row) => row.scenario === scenario && row.kind !== "not_applicable")
  );
  const methods = [...new Set(inspected.map(({ method }) => method))];
  return fillPage(template, {
    suite: CONFORMANCE,
    inspector: INSPECTOR,
    scenarios: toTable(
      ["scenario", ...REVISIONS],
      applying.map((name) => [toWord(name), ...REVISIONS.map((at) => toCell(verdicts, name, at))]),
    ),
    warnings: toWarnings(verdicts),
    exceptions: toTable(
      ["scenario", "what it asks for", "shown by"],
      (EXCEPTIONS as readonly Exception[]).map(({ scenario, check, reason, shownBy = "" }) => [
        check === undefined ? toWord(scenario) : `${toWord(scenario)}: ${toWord(check)}`,
        reason,
        toWord(shownBy),
      ]),
    ),
    methods: methods.map(toWord).join(", "),
    answered: String(inspected.filter(({ fault }) => fault === null).length),
    runs: String(inspected.length),
  });
}

function toCell(verdicts: readonly Verdict[], scenario: string, revision: string): string {
  const found = verdicts.find((row) => row.scenario === scenario && row.revision === revision);
  if (found === undefined) return "·";
  return found.kind === "passed" ? `${found.passed}` : SHOWN[found.kind];
}

function toWarnings(verdicts: readonly Verdict[]): string {
  const lines = verdicts.filter(({ kind }) => kind === "passed")
    .flatMap(({ scenario, warnings }) => warnings.map((text) => `- \`${scenario}\`: ${text}`));
  return lines.length === 0 ? "- none" : [...new Set(lines)].join("\n");
}
