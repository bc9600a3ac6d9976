/** The parts of a project that are known before anything of its code is: what the index and the features are made from. */
import type { Backends } from "../backends/detect.ts";
import type { Logger } from "../base/logger.ts";
import type { SettingsReader } from "../context/settings.ts";
import type { OpenRepo } from "../git/private_repository.ts";

/** The parts. */
export interface ProjectParts {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of its `.code-intel` folder, which need not exist. */
  readonly codeIntelDir: string;
  /** Where the index lies without git. */
  readonly plainIndexDir: string;
  /** The user's folder of the program; null without a home. */
  readonly stateDir: string | null;
  readonly settings: SettingsReader;
  readonly backends: Backends;
  /** The repository of the project; null outside of git, and where git cannot be used. */
  readonly openRepo: OpenRepo;
  readonly logger: Logger;
  /** Value of a variable of the environment. */
  readonly get: (name: string) => string | undefined;
  /** True in a process that ends with its first answer: it starts no background work. */
  readonly isBrief: boolean;
}
