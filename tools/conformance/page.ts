/** `docs/conformance.md`, from what the runs found and the table of exceptions. */
import type { InspectorRun } from "./inspector.ts";
import type { Verdict } from "./judge.ts";
import type { Exception } from "./not_applicable.ts";
import { EXCEPTIONS } from "./not_applicable.ts";
import { CONFORMANCE, INSPECTOR } from "./package_run.ts";
import { REVISIONS } from "./suite.ts";

const SHOWN = { passed: "passed", not_applicable: "–", failed: "**FAILED**" } as const;

/** The page as text. */
export function renderPage(
  verdicts: readonly Verdict[],
  inspected: readonly InspectorRun[],
): string {
  const scenarios = [...new Set(verdicts.map(({ scenario }) => scenario))].sort();
  const rows = scenarios.filter((scenario) =>
    verdicts.some((row) => row.scenario === scenario && row.kind !== "not_applicable")
  ).map((scenario) =>
    `| \`${scenario}\` | ${REVISIONS.map((at) => toCell(verdicts, scenario, at)).join(" | ")} |`
  );
  const methods = [...new Set(inspected.map(({ method }) => method))];
  return `# Conformance

<!-- Made by \`deno task conformance --docs\`; do not edit. -->

What the protocol's own programs say of the server. \`deno task conformance\` runs both again: the suite \`${CONFORMANCE}\` against
\`serve --http\`, for each revision of the protocol, and the client \`${INSPECTOR}\` over stdio and HTTP. It ends with 1 when anything
differs from this page. Both come from the package registry, and nothing of them is part of the program.

The suite cannot send a token, so it comes through a door that adds it and changes nothing else; without the token every request is refused
(\`tests/mcp/transport/http_gate_test.ts\`).

## Scenarios of the suite

A number is the count of checks that passed; "·" means that the revision has no such scenario.

| scenario | ${REVISIONS.join(" | ")} |
|---|${REVISIONS.map(() => "---").join("|")}|
${rows.join("\n")}

Recommendations that the suite misses in scenarios that pass (those of \`input-required-result-…\` call tools of the suite too):

${toWarnings(verdicts)}

## Scenarios and checks that do not apply

Most scenarios were written for a server with the tools, prompts and resources of the suite (\`test_…\`), which a real program has not. Where the
behaviour itself is there, the last column names the test that shows it.

| scenario | what it asks for | shown by |
|---|---|---|
${EXCEPTIONS.map(toRow).join("\n")}

The scenarios of extensions (\`tasks-*\`, \`sep-2640-skills-*\`) belong to no revision; the server declares no extension.

## The inspector

Each of ${
    methods.map((method) => `\`${method}\``).join(", ")
  } is answered as expected over stdio and HTTP, in both eras
(${
    inspected.filter(({ fault }) => fault === null).length
  } of ${inspected.length} runs); \`tools/list\` with \`--strict\`, which reports schemas that some client cannot read.
`;
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

function toRow({ scenario, check, reason, shownBy }: Exception): string {
  const name = check === undefined ? `\`${scenario}\`` : `\`${scenario}\`: \`${check}\``;
  return `| ${name} | ${reason} | ${shownBy === undefined ? "" : `\`${shownBy}\``} |`;
}
