/** Puts mutants into the files of a checkout, and the files back. */
import { join } from "node:path";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { isLink, readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Checkout } from "../../evidence/checkout/with_checkout.ts";
import type { Mutant } from "./mutant.ts";
import { applyMutant } from "./mutant.ts";

/** The changed files of one checkout. */
export class MutantFiles {
  readonly #checkout: Pick<Checkout, "root">;
  readonly #texts = new Map<string, string>();
  #stampS = 0;

  constructor(checkout: Pick<Checkout, "root">) {
    this.#checkout = checkout;
  }

  /** The text of a file; undefined where there is none that can be written back as it was. */
  read(path: string): string | undefined {
    const { root } = this.#checkout;
    const file = join(root, path);
    if (isLink(file)) return undefined;
    const text = readRegularText(file, { within: root, maxBytes: LIMITS.fileBytes.value });
    if (text === undefined || text.includes("\ufffd")) return undefined;
    this.#texts.set(path, text);
    return text;
  }

  /** Runs `action` while the file has the mutant. */
  async with<T>(mutant: Mutant, action: () => Promise<T>): Promise<T> {
    const text = this.#texts.get(mutant.path) ?? "";
    await this.#write(mutant.path, applyMutant(text, mutant));
    try {
      return await action();
    } finally {
      await this.#write(mutant.path, text);
    }
  }

  /**
   * Each version gets a time of its own in whole seconds, later than the one before: what is kept by time and size, such
   * as compiled modules of Python, would else be taken for that of another version.
   */
  async #write(path: string, text: string): Promise<void> {
    const { root } = this.#checkout;
    const file = join(root, path);
    checkOwnFile(file, { below: root });
    await Deno.writeTextFile(file, text);
    const writtenMs = (await Deno.stat(file)).mtime?.getTime() ?? 0;
    this.#stampS = Math.max(this.#stampS + 1, Math.ceil(writtenMs / 1000) + 1);
    await Deno.utime(file, this.#stampS, this.#stampS);
  }
}
