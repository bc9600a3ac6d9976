/** What the checks of a change look at, and how they run commands: for a proof without a session and for step 15. */
import type { TreePath } from "../base/paths.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import type { RunCover, TryMutants } from "../evidence/runs/run_command.ts";
import type {
  CommandRuns,
  RunCheckout,
  VerificationResultRow,
} from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import type { Repository } from "../git/repository.ts";
import type { Change, ChangePlace } from "./change.ts";
import type { CheckoutUse } from "./checkout_use.ts";
import type { FindNearTests, NearTests } from "./near_tests.ts";
import type { ProofMemory } from "./proof_memory.ts";
import type { CheckName, CheckState, ProofFacts } from "./verdict.ts";

/** What is looked at, and how it is run. */
export interface CheckInput extends ChangePlace {
  readonly change: Change & {
    /** True where the worktree holds the tree with the change. */
    readonly isInWorktree: boolean;
  };
  /** The project's commands, which somebody allowed. */
  readonly found: ProjectCommands;
  /** Those that apply to the changed files. */
  readonly commands: readonly VerifyCommand[];
  readonly verification: Pick<ProjectVerification, "useCheckout">;
  readonly runs: CommandRuns;
  /** Whether clean checkouts are known to work here; a sentence where the commands run in the worktree. */
  readonly checkout: Pick<RunCheckout, "isSure"> | string;
  /** What is known of the tree of before. */
  readonly memory: Pick<ProofMemory, "readResults" | "saveResults">;
  /** Whole commands that passed on the tree, as somebody says who is trusted: they are not run again. */
  readonly attested?: readonly VerificationResultRow[];
  /** Checks that have not paid here, and are passed over this time where the verdict does not rest on them. */
  readonly rare?: ReadonlySet<string>;
  /** Whether the tree of before may be run where nothing is known of it. */
  readonly runsBase: boolean;
  /** Reads which lines the project's commands ran; absent where nobody asks. */
  readonly coverage?: RunCover | undefined;
  /** Checks that nobody asks for, with the reason as the end of a sentence. */
  readonly leftOut?: Readonly<Partial<Record<CheckName, string>>>;
  readonly findNearTests: FindNearTests;
  /** Longest trial of wrong versions, and whether survivors send work back. */
  readonly trial: Pick<WrongVersionInput, "seconds" | "isGate">;
  /** Plans small wrong versions of the changed lines; absent where no feature does. */
  readonly planWrongVersions?: (input: WrongVersionInput) => Promise<TryMutants | null>;
  /** How long it may take; Infinity for as long as it takes. */
  readonly withinMs: number;
  /** Called before each check, with what those before it learned. */
  readonly onCheck?: (name: CheckName, facts: ProofFacts, before: readonly CheckState[]) => void;
}

/** What wrong versions are planned from. */
export interface WrongVersionInput {
  /** Longest trial, in seconds. */
  readonly seconds: number;
  /** Whether survivors send work back. */
  readonly isGate: boolean;
  readonly commands: readonly VerifyCommand[];
  /** The nearest tests. */
  readonly near: NearTests;
  /** Files that changed, relative to the worktree. */
  readonly changed: readonly TreePath[];
  /** The tree of before, and the one that is made wrong. */
  readonly base: string;
  readonly tree: string;
  readonly repo: Repository;
  readonly toProject: (path: TreePath) => string;
  /** The checkout of a tree, without folders into which builds write. */
  readonly useApart: CheckoutUse;
}

/** What a check learned, or why there was nothing to look at. */
export type CheckResult =
  | { readonly kind: "done"; readonly facts: Partial<ProofFacts>; readonly note?: string }
  | { readonly kind: "needless" | "failed"; readonly why: string };

/** The same with what the checks share. */
export interface CheckContext extends CheckInput {
  /** Changed files, relative to the worktree. */
  readonly changed: readonly TreePath[];
  /** Milliseconds that are left. */
  readonly leftMs: () => number;
  readonly useApart: CheckoutUse;
  readonly listNear: () => Promise<NearTests>;
}
