/** The first text of the project's `config.json` and `context.yml`. Pure. */
import { STEP_FIRST } from "../../base/steps.ts";
import { DOCUMENT_GLOB } from "../../base/text/document_files.ts";
import type { VerifyProposal } from "./verify_proposals.ts";

/** What a person may set on the command line; absent: what was found in the project. */
export interface ConfigChoices {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly syncTtlHours?: number;
}

/** What was found in a project. */
export interface ConfigFacts {
  /** Folders at the top that hold source. */
  readonly sourceDirs: readonly string[];
  readonly verify: readonly VerifyProposal[];
  /** Folders that are lent to a clean checkout; empty where the built-in names are enough. */
  readonly lend: readonly string[];
  /** The rules file that exists or will be written. */
  readonly rulesFile: string | null;
  /** Folders and files with documents. */
  readonly docsPath: readonly string[];
}

const EXCLUDED = ["**/node_modules/**", "**/__pycache__/**", "**/dist/**", "**/*.min.*"];

/** The chosen members of `config.json`, by key. */
export function buildChosenMembers(choices: ConfigChoices): Readonly<Record<string, unknown>> {
  const { include, exclude, syncTtlHours } = choices;
  return {
    ...(include === undefined ? {} : { source_dirs: include }),
    ...(exclude === undefined ? {} : { exclude_patterns: exclude }),
    ...(syncTtlHours === undefined ? {} : { sync_ttl_hours: syncTtlHours }),
  };
}

/** The text of a new `config.json`. */
export function buildConfigText(facts: ConfigFacts, choices: ConfigChoices): string {
  const config = {
    $schema: "./config.schema.json",
    source_dirs: facts.sourceDirs,
    exclude_patterns: EXCLUDED,
    sync_ttl_hours: 1,
    sync_on_start: true,
    chunk_max_tokens: 512,
    verify: facts.verify,
    ...(facts.lend.length === 0 ? {} : { verify_lend: facts.lend }),
    ...buildChosenMembers(choices),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** The proposal of a proof at the end of a turn, and the same switched on. */
export const STOP_PROPOSAL =
  `# With "stop: on" the change is proven after each turn of an agent that changed files, within this time, outside of
# sessions (docs/prove.md). The commands run only once somebody allowed them: code-intel trust.
# prove: { stop: on, seconds: 60 }
`;

/** The text of a new `context.yml`. */
export function buildContextText({ rulesFile, docsPath }: ConfigFacts): string {
  const docs = docsPath.length === 0
    ? "  docs_path: []"
    : `  docs_path:\n${docsPath.map((path) => `    - ${JSON.stringify(path)}`).join("\n")}`;
  return `# What code-intel knows about this project's own rules and documents. Yours to change.

# The rules that hold for all work. The summary is written by the agent (update_context) whenever the file
# has changed; extra_notes is yours, and no update touches it.
project_rules:
  source: ${rulesFile === null ? "null" : JSON.stringify(rulesFile)}
  summary: null
  extra_notes: null

# ${STEP_FIRST.DOCUMENT_RESEARCH} looks into these documents for rules that the present request has to keep.
doc_research:
  enabled: true
${docs}
  default_prompts:
    - "default.md"

document_search:
  include_patterns:
    - "${DOCUMENT_GLOB}"
  exclude_patterns:
    - "node_modules/**"

# After how many failures of one task an intervention follows, and after how many of those the person is asked.
interventions:
  enabled: true
  threshold: 3
  force_escalation_after: 2

# With "on" the run of the tests at the start of a session records which test runs which function: then impact and the
# steps name tests that no name leads to. It takes up to 1.5 times as long. By hand: code-intel runs record.
# runs: on

${STOP_PROPOSAL}`;
}
