/** Writes a proof for its readers: a terminal, a program, a pull request, a code scanner. Pure. */
import type { NamedChange } from "./read_change.ts";
import type { CheckState, Proof, ProofFinding } from "./verdict.ts";
import { CHECKS } from "./verdict.ts";

/** What was proven, for texts. */
export interface ProofHead {
  /** What was compared. */
  readonly label: string;
  readonly proof: Proof;
  /** ISO time at which it was proven, where that was not now. */
  readonly keptAt?: string | undefined;
}

/** A proof with what it is of, as programs read it. */
export function buildProofFields({ proof, change, commands, keptAt }: {
  readonly proof: Proof;
  readonly change: NamedChange;
  readonly commands: readonly { readonly name: string; readonly run: readonly string[] }[];
  readonly keptAt?: string;
}): Readonly<Record<string, unknown>> {
  const { label, base, tree } = change;
  const kept = keptAt === undefined ? {} : { proven_at: keptAt };
  return { ...proof, ...kept, compared: label, base, tree, commands };
}

const MOST_SHOWN = 20;

/** Lines for a terminal: the verdict, the findings, what each check cost. */
export function formatProofText({ label, proof, keptAt }: ProofHead): readonly string[] {
  const { line, findings, checks } = proof;
  const more = findings.length - MOST_SHOWN;
  return [
    line,
    ...findings.slice(0, MOST_SHOWN).flatMap((finding) => [
      `  ${finding.weight}: ${finding.place === "" ? "" : `${finding.place}: `}${finding.what}`,
      `    ${describeWay(finding)}`,
    ]),
    ...(more > 0 ? [`  and ${more} more (--json)`] : []),
    `compared: ${label}${keptAt === undefined ? "" : `, proven at ${keptAt} (--anew)`}`,
    ...checks.map((check) => `  ${formatCheck(check)}`),
  ];
}

/** What would settle it, or what was said to it. */
function describeWay({ settle, answer }: ProofFinding): string {
  return answer === undefined ? settle : `answered (${answer.by}): ${answer.reason}`;
}

function formatCheck({ name, state, seconds, why }: CheckState): string {
  return `${name.replaceAll("_", " ")}: ${state}${seconds > 0 ? ` in ${seconds} s` : ""}${
    why === "" ? "" : ` (${why})`
  }`;
}

/** A comment for a pull request; empty where the change is proven: nobody has to read it. */
export function formatProofMarkdown({ label, proof }: ProofHead): string {
  const { verdict, line, findings, checks } = proof;
  if (verdict === "proven") return "";
  const rows = findings.slice(0, MOST_SHOWN).map((finding) =>
    `| ${finding.weight} | ${
      [finding.place, finding.what, describeWay(finding)].map(escapeCell).join(" | ")
    } |`
  );
  const more = findings.length - rows.length;
  const left = checks.filter(({ state }) => state === "skipped" || state === "failed");
  return [
    `**${escapeCell(line)}**`,
    "",
    ...(rows.length === 0
      ? []
      : ["| | where | what | what would settle it |", "|---|---|---|---|"]),
    ...rows,
    ...(more > 0 ? ["", `And ${more} more.`] : []),
    "",
    `Compared: ${escapeCell(label)}.${
      left.length === 0 ? "" : ` Not looked at: ${left.map(formatCheck).join("; ")}.`
    }`,
    "",
  ].join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll(/[\\|<>`*_[\]]/g, (sign) => `\\${sign}`).replaceAll(/\s+/g, " ");
}

const LEVELS = { breaks: "error", doubts: "warning", notes: "note" } as const;

/** The findings as SARIF 2.1.0, which code scanners read. */
export function formatProofSarif({ proof }: ProofHead, version: string): string {
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "code-intel prove",
          version,
          rules: Object.entries(CHECKS).map(([id, text]) => ({
            id,
            shortDescription: { text },
          })),
        },
      },
      results: proof.findings.map(buildSarifResult),
      properties: { verdict: proof.verdict, line: proof.line },
    }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function buildSarifResult({ check, weight, place, what, settle, answer }: ProofFinding) {
  const [, path = "", line] = /^([^\s:]+\.[\w]+)(?::(\d+))?/.exec(place) ?? [];
  const region = line === undefined ? {} : { region: { startLine: Number(line) } };
  return {
    ruleId: check,
    level: LEVELS[weight],
    ...(answer && { suppressions: [{ kind: "external", justification: answer.reason }] }),
    message: { text: `${place === "" ? "" : `${place}: `}${what}. ${settle}` },
    ...(path === "" ? {} : {
      locations: [{ physicalLocation: { artifactLocation: { uri: path }, ...region } }],
    }),
  };
}
