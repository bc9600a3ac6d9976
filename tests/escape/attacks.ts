/** All attacks, by theme. */
import type { Attack } from "./attack.ts";
import { ATTEST_ATTACKS, ATTEST_LEFT_OUT } from "./attest_attacks.ts";
import { CLAIM_ATTACKS } from "./claim_attacks.ts";
import { CLONE_ATTACKS } from "./clone_attacks.ts";
import { EVIDENCE_ATTACKS } from "./evidence_attacks.ts";
import { EXPLORE_ATTACKS } from "./explore_attacks.ts";
import { GIT_ATTACKS } from "./git_attacks.ts";
import { GUARD_ATTACKS } from "./guard_attacks.ts";
import { HIDDEN_ATTACKS } from "./hidden_attacks.ts";
import { HOOK_ATTACKS } from "./hook_attacks.ts";
import { LEFTOVER_ATTACKS } from "./leftover_attacks.ts";
import { LINE_ATTACKS } from "./line_attacks.ts";
import { PHASE_ATTACKS } from "./phase_attacks.ts";
import { PROOF_ATTACKS } from "./proof_attacks.ts";
import { RECORD_ATTACKS } from "./record_attacks.ts";
import { ROW_ATTACKS } from "./row_attacks.ts";
import { SESSION_ATTACKS } from "./session_attacks.ts";
import { TEST_ATTACKS } from "./test_attacks.ts";
import { VERIFICATION_ATTACKS } from "./verification_attacks.ts";
import { WORD_ATTACKS } from "./word_attacks.ts";

/** The attacks by what they are aimed at: each theme has a rate of its own. */
export const THEMES = {
  changes: [
    ...PHASE_ATTACKS,
    ...HIDDEN_ATTACKS,
    ...GIT_ATTACKS,
    ...HOOK_ATTACKS,
    ...RECORD_ATTACKS,
    ...ROW_ATTACKS,
    ...SESSION_ATTACKS,
    ...GUARD_ATTACKS,
    ...WORD_ATTACKS,
    ...LEFTOVER_ATTACKS,
    ...CLONE_ATTACKS,
  ],
  proof: [...VERIFICATION_ATTACKS, ...PROOF_ATTACKS, ...LINE_ATTACKS, ...ATTEST_ATTACKS],
  tests: TEST_ATTACKS,
  exploration: EXPLORE_ATTACKS,
  evidence: [...CLAIM_ATTACKS, ...EVIDENCE_ATTACKS],
} as const satisfies Readonly<Record<string, readonly Attack[]>>;

/** The whole table, as far as it can be tried here. */
export const ATTACKS: readonly Attack[] = Object.values(THEMES).flat();

/** The number of all attacks, whatever programs this machine has: what documents say. */
export const ATTACK_COUNT = ATTACKS.length + ATTEST_LEFT_OUT;
