/** Reads the project's `phase_contract.yml` and lays it over the built-in contract. */
import { join } from "node:path";
import type { Contract, ContractResult } from "../phase/mod.ts";
import { BUILT_IN_CONTRACT, mergeContract } from "../phase/mod.ts";

/** The contract in force, and what is to be said about the project's file. */
export interface LoadedContract {
  readonly contract: Contract;
  /** One line for every reply while the file is faulty; null when it is not. */
  readonly warning: string | null;
  readonly notices: readonly string[];
  readonly problems: ContractResult["problems"];
}

const NO_FILE: LoadedContract = {
  contract: BUILT_IN_CONTRACT,
  warning: null,
  notices: [],
  problems: [],
};
const MAX_BYTES = 1024 * 1024;

/** Loads the contract again only when its file changed. */
export class ContractFile {
  readonly #path: string;
  #stamp = "";
  #loaded: LoadedContract = NO_FILE;

  /** @param codeIntelDir Absolute path of the project's `.code-intel`. */
  constructor(codeIntelDir: string) {
    this.#path = join(codeIntelDir, "phase_contract.yml");
  }

  /** The contract now; a missing file means the built-in one. */
  async load(): Promise<LoadedContract> {
    const info = await Deno.stat(this.#path).catch(() => null);
    if (info === null || !info.isFile) return NO_FILE;
    const stamp = `${info.size}:${info.mtime?.getTime() ?? 0}:${info.ino ?? 0}`;
    if (stamp !== this.#stamp) {
      this.#loaded = info.size > MAX_BYTES
        ? toFaulty([{ code: "contract_invalid", message: "The file is larger than 1 MiB" }])
        : await parse(await Deno.readTextFile(this.#path));
      this.#stamp = stamp;
    }
    return this.#loaded;
  }
}

async function parse(text: string): Promise<LoadedContract> {
  // The parser is loaded only for projects that have a contract of their own.
  const { LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const fault = document.errors[0];
  if (fault !== undefined) {
    return toFaulty([{ code: "contract_invalid", message: fault.message.split("\n")[0] ?? "" }]);
  }
  const locate = (path: readonly PropertyKey[]): string => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      const offset = (node as { readonly range?: readonly number[] } | undefined)?.range?.[0];
      if (offset === undefined) continue;
      const { line, col } = counter.linePos(offset);
      return `line ${line}, column ${col}`;
    }
    return "line 1, column 1";
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    // Aliases are resolved only here: `*bold*` at the start of a text is one to YAML.
    const message = cause instanceof Error ? cause.message : String(cause);
    return toFaulty([{ code: "contract_invalid", message: `${message}; quote texts with *` }]);
  }
  const result = mergeContract(value ?? {}, locate);
  return result.problems.length > 0
    ? toFaulty(result.problems)
    : { contract: result.contract, warning: null, notices: result.notices, problems: [] };
}

function toFaulty(problems: ContractResult["problems"]): LoadedContract {
  const first = problems[0]?.message ?? "";
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return {
    contract: BUILT_IN_CONTRACT,
    warning: `phase_contract.yml is not used: ${first}${more}`,
    notices: [],
    problems,
  };
}
