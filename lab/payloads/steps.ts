/** The steps of a session, each with a right payload, for trying payloads at it. */
import type { Project } from "../../tests/support/session/project.ts";
import type { Session } from "../../tests/support/session/session_driver.ts";
import type { WalkOptions } from "../../tests/support/session/walked_project.ts";

/** A payload. */
export type Payload = Readonly<Record<string, unknown>>;

/** A step at which payloads are tried. */
export interface TriedStep {
  readonly step: number;
  readonly name: string;
  readonly way: WalkOptions;
  /** What a right payload has otherwise than the one of the tests' driver. */
  readonly own?: Payload;
}

const RULES =
  "# Rules\n\nNames of functions are English verbs.\n\n## Fees\n\nA late loan costs at most ten fees.\n";

/** Documents, so that step 3 has rules to cite. */
async function addDocuments({ repo }: Project): Promise<void> {
  await repo.commit("Write rules", {
    "docs/rules.md": RULES,
    "docs/api.md": "# API\n\nlogin(name)\n",
  });
}

/** A task branch that an earlier session left. */
async function leaveBranch(project: Project): Promise<void> {
  await project.repo.git("branch", "llm_task_session_20250101_000000_abcd");
}

const payloads = new Map<number, Payload>();

/** The right payload of a step, which its walk has noted. */
export function rightPayload({ step, own }: TriedStep): Payload {
  return { ...payloads.get(step), ...own };
}

function noteAt(step: number): (session: Session) => Promise<void> {
  return async (session) => {
    payloads.set(step, session.toData(await session.prepare()));
  };
}

const QUERY =
  'Refuse an empty name in `login`: it should say "a name is needed". The view stays as it is.';
const WAY = { query: QUERY, gateLevel: "full", before: addDocuments } as const;
const RULE = { rule: "Names of functions are English verbs", source: "docs/rules.md:3" };

function at(step: number, name: string, more: Partial<TriedStep> = {}): TriedStep {
  return { step, name, ...more, way: { ...WAY, ...more.way, on: noteAt(step) } };
}

/** Every step that takes a payload. */
export const TRIED_STEPS: readonly TriedStep[] = [
  at(2, "BRANCH_INTERVENTION", { way: { before: leaveBranch } }),
  at(3, "DOCUMENT_RESEARCH", {
    own: { documents_reviewed: ["docs/rules.md", "docs/api.md"], mandatory_rules: [RULE] },
  }),
  at(4, "QUERY_FRAME", {
    own: {
      slots: {
        target_feature: { value: "login", quote: "Refuse an empty name in `login`" },
        trigger_condition: null,
        observed_issue: null,
        desired_action: {
          value: "say that a name is needed",
          quote: 'it should say "a name is needed"',
        },
      },
    },
  }),
  at(5, "EXPLORATION", {
    own: {
      explored_files: ["src/auth.ts", "src/view.ts"],
      findings: ["login() hashes (src/auth.ts:3)"],
    },
  }),
  at(6, "Q1"),
  at(7, "SEMANTIC", {
    way: { answers: [true, false, false] },
    own: { search_results: ["src/auth.ts"] },
  }),
  at(8, "Q2"),
  at(9, "VERIFICATION", { way: { answers: [false, true, false] } }),
  at(10, "Q3"),
  at(11, "IMPACT_ANALYSIS", { way: { answers: [false, false, true] } }),
  at(12, "READY_PLAN"),
  at(13, "READY_IMPL"),
  at(14, "READY_COMPLETE", {
    own: { observed: { "Refuse an empty name in `login`": "login('') throws" } },
  }),
  at(15, "POST_IMPL_VERIFY"),
  at(16, "VERIFY_INTERVENTION", { way: { verifications: [false, false, false, false] } }),
  at(17, "PRE_COMMIT"),
  at(18, "QUALITY_REVIEW"),
  at(19, "MERGE", { own: { on_conflict: "park", merge_message: null } }),
];
