/** What the composition root is asked for. */
import type { Analyser } from "../analysis/analyser.ts";
import type { Logger } from "../base/logger.ts";
import type { Extension } from "./extension.ts";

/** What the services are built for. */
export interface ServicesOptions {
  /** Any folder of the project, or with `isNamed` the project itself. */
  readonly projectDir: string;
  /** True where a person named the folder. Default false. */
  readonly isNamed?: boolean;
  readonly logger: Logger;
  /** Names of the tools that can be called. */
  readonly offered: readonly string[];
  /** Value of a variable of the environment; default the real one. */
  readonly get?: (name: string) => string | undefined;
  /** What the program can do beside its core. Default nothing. */
  readonly features?: readonly Extension[];
  /** True in a process that ends with its first answer: it starts no background work. */
  readonly isBrief?: boolean;
  /** What analyses contents for the index; default threads of its own. */
  readonly analyser?: Analyser;
}
