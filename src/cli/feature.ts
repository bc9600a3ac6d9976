/** What a feature adds to the program, as data: the door between the core, which knows no feature, and each of them. */
import type { Extension } from "../services/extension.ts";
import type { CommandEntry } from "./command.ts";

/** A part of the program that can be taken out: a folder of `src/features/` and its row in `FEATURES`. */
export interface Feature extends Extension {
  /** The name of its folder. */
  readonly name: string;
  /** What it adds to the command line, in the order of the help. */
  readonly commands: readonly CommandEntry[];
  /** Modules of its folder that are started as threads, from the top of the repository. */
  readonly threads?: readonly string[];
  /** Files that it reads when it runs and that go into the executable, from the top of the repository. */
  readonly files?: readonly string[];
  /** Pages of `docs` that are made from its tables, by their path from the top of the repository. */
  readonly docs?: readonly {
    readonly path: string;
    readonly render: () => Promise<string>;
  }[];
}
