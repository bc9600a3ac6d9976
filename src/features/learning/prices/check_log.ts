/** Keeps what proofs cost beside the outcomes of sessions, and counts it. */
import { join } from "node:path";
import { CodeIntelError } from "../../../base/errors.ts";
import { statIfThere } from "../../../base/files/file_stamp.ts";
import type { CheckPrice, ProofCost } from "../../../workflow/context/learning.ts";
import type { LearnedState } from "../decision_log.ts";
import { JsonlLog } from "../jsonl_log.ts";
import type { CheckLine } from "./check_prices.ts";
import { buildCheckLine, computePrices, parseCheckLine, readSessionCost } from "./check_prices.ts";

/** The log of one project. */
export class CheckLog {
  readonly #codeIntelDir: string;
  readonly #lines: JsonlLog<CheckLine>;

  /** @param codeIntelDir Absolute path of the project's `.code-intel` folder; it need not exist. */
  constructor(codeIntelDir: string) {
    this.#codeIntelDir = codeIntelDir;
    const folder = join(codeIntelDir, "logs");
    this.#lines = new JsonlLog({ folder, name: "checks", parse: parseCheckLine });
  }

  /** Only where the project is set up, so that the log is no file of the change itself. What fails only makes prices poorer. */
  async add(cost: ProofCost | null): Promise<void> {
    if (cost === null || statIfThere(join(this.#codeIntelDir, ".gitignore")) === null) return;
    try {
      await this.#lines.add(buildCheckLine(cost));
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
    }
  }

  /** What step 15 of a session found. */
  async addSession(state: LearnedState): Promise<void> {
    await this.add(readSessionCost(state));
  }

  async readPrices(): Promise<readonly CheckPrice[]> {
    return computePrices((await this.#lines.read()).lines);
  }
}
