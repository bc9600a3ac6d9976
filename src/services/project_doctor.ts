/** Puts together what `doctor` checks, from the real parts. */
import type { Problem } from "../base/problem.ts";
import { say } from "../base/text/words.ts";
import type { Seal } from "../base/files/seal.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Backends } from "../backends/detect.ts";
import type { SettingsReader } from "../context/settings.ts";
import { listUnmet } from "../context/unmet_settings.ts";
import type { ProjectVerification } from "../evidence/runs/project_verification.ts";
import type { OpenRepo } from "../git/repository_opener.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import type { SessionStore } from "../session/store_api.ts";
import { ContractFile } from "../workflow/context/contract_file.ts";

/**
 * Environment variables that change what the program does and belong to no key of the
 * configuration.
 */
const VARIABLES = [
  "CODE_INTEL_STATE_DIR",
  "CODE_INTEL_CACHE_DIR",
  "CODE_INTEL_RG",
] as const;

/** The parts that `doctor` looks at. */
export interface DoctorParts {
  readonly projectRoot: string;
  readonly codeIntelDir: string;
  readonly openRepo: OpenRepo;
  readonly backends: Backends;
  readonly settings: SettingsReader;
  readonly store: SessionStore;
  readonly seal: Seal;
  readonly listClosedTexts: DoctorFacts["listClosedTexts"];
  readonly readIndex: DoctorFacts["readIndex"];
  readonly readMeaning: DoctorFacts["readMeaning"];
  readonly otherChecks: DoctorFacts["otherChecks"];
  readonly verification: ProjectVerification;
  readonly get: (name: string) => string | undefined;
}

/** A problem of a key of `context.yml` with the key before it, because `doctor` shows what many keys say. */
function toNamed({ at, message, ...problem }: Problem): Problem {
  return { ...problem, message: at === undefined ? message : say`${at}: ${message}` };
}

/** Builds the facts that `doctor` checks; nothing is read before a check asks for it. */
export function toDoctorFacts(parts: DoctorParts): DoctorFacts {
  const { backends, settings, codeIntelDir, verification, get } = parts;
  return {
    ...parts,
    versions: [`${PROGRAM_NAME} ${VERSION}`, `deno ${Deno.version.deno}`],
    readBackends: async () => [await backends.rg()],
    readConfig: async () => {
      const { config, context } = await settings.read();
      const oldDocuments = context.values.essential_docs.summaries.length;
      const unmet = await listUnmet(parts, context.values);
      const problems = [
        ...config.warnings,
        ...context.warnings,
        ...unmet.map(toNamed),
      ];
      const variables = VARIABLES.filter((name) => get(name) !== undefined);
      const { chunk_strategy: chunks } = config.values;
      return { problems, overrides: config.overrides, variables, oldDocuments, chunks };
    },
    readVerify: async () => {
      const { commands, isTrusted } = await verification.loadCommands();
      return { commands, isTrusted };
    },
    readContract: () => new ContractFile(codeIntelDir, null).load(),
  };
}
