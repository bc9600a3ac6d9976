/** Verification, loaded when a session or a person asks for it: questions about code run no commands. */
import { Late, later } from "../base/later.ts";
import type {
  ProjectVerification,
  ProjectVerificationOptions,
} from "./runs/project_verification.ts";
import type { TrustStore, TrustStoreOptions } from "./runs/trust.ts";
import type { VerificationRunner } from "./runs/verification.ts";
import type { VerificationRunnerOptions } from "./runs/verification_runner.ts";

/** Makes the verification of one project; nothing is read before the first question. */
export function createProjectVerification(
  options: ProjectVerificationOptions,
): ProjectVerification {
  const late = new Late(async () =>
    (await import("./runs/project_verification.ts")).createProjectVerification(options)
  );
  const { runner, trust, stateDir } = options;
  const calls = later<Omit<ProjectVerification, "runner" | "trust" | "stateDir">>(late, {
    readRepositoryKey: true,
    loadCommands: true,
    listUnrunChecks: true,
    readSettings: true,
    trustCommands: true,
    compareWithTrust: true,
    useCheckout: true,
    readEnforcement: true,
    takeEnforcement: true,
    takeWords: true,
  });
  return { ...calls, runner, trust, stateDir };
}

/** Makes a runner; nothing is started before the first call. */
export function createVerificationRunner(options: VerificationRunnerOptions): VerificationRunner {
  const late = new Late(async () =>
    (await import("./runs/verification_runner.ts")).createVerificationRunner(options)
  );
  const runner = later<VerificationRunner>(late, {
    start: true,
    wait: true,
    cancel: true,
    cancelSession: true,
    sweep: true,
    readRunning: true,
    read: true,
    close: true,
  });
  // A runner that was never asked has nothing to cancel.
  return { ...runner, close: async () => await (await late.opened)?.close() };
}

/** Makes the store of what a person allowed; nothing is read before the first question. */
export function createTrustStore(options: TrustStoreOptions): TrustStore {
  const late = new Late(async () => (await import("./runs/trust.ts")).createTrustStore(options));
  return later<TrustStore>(late, {
    isTrusted: true,
    trust: true,
    areTextsTrusted: true,
    trustTexts: true,
    revoke: true,
    list: true,
    confirmMode: true,
    readConfirmedMode: true,
    useMode: true,
    noteWord: true,
    takeWords: true,
  });
}
