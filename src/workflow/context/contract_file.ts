/** Reads the project's `phase_contract.yml` and overrides the built-in contract with it, as far as a person allowed its words. */
import type { Yaml } from "../../context/yaml.ts";
import { join } from "node:path";
import type { Document } from "yaml";
import { readControlFile } from "../../base/files/control_file.ts";
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import type { Problem } from "../../base/problem.ts";
import type { GuidingText } from "../../evidence/runs/trust.ts";
import type { Contract, ContractResult } from "../../phase/contract/contract.ts";
import {
  BUILT_IN_CONTRACT,
  keepStricterRules,
  mergeContract,
} from "../../phase/contract/contract.ts";
import { STAGES } from "../../phase/table/phases.ts";
import { ALLOW_TEXTS } from "./guiding_texts.ts";

/** The contract in force, and what is to be reported about the project's file. */
export interface LoadedContract {
  readonly contract: Contract;
  /** One line for every reply while the file is faulty; null while it is not. */
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
/** Most faults in the warning, which is part of every reply (guessed). */
const MOST_TOLD = 10;

/** Who allowed the words of the file, and which tools it may ask for before. */
export interface ContractTrust {
  /** Whether exactly this text may guide agents here. */
  isAllowed(text: GuidingText): Promise<boolean>;
  /** Names of the tools that can be called. */
  readonly offered: readonly string[];
}

/** A contract file as it was read last. */
interface ReadContract {
  readonly loaded: LoadedContract;
  /** The file's text, where it says other things than the built-in contract; null where it does not. */
  readonly own: GuidingText | null;
}

/** Reads the contract again only when its file has changed. */
export class ContractFile {
  readonly #path: string;
  readonly #trust: ContractTrust | null;
  #stamp = "";
  #read: ReadContract = { loaded: NO_FILE, own: null };

  /**
   * @param codeIntelDir Absolute path of the project's `.code-intel`.
   * @param trust null for a person, who reads the file whoever wrote it.
   */
  constructor(codeIntelDir: string, trust: ContractTrust | null) {
    this.#path = join(codeIntelDir, "phase_contract.yml");
    this.#trust = trust;
  }

  /**
   * The present contract; the built-in one where there is no file. Of a file that nobody allowed only what makes it
   * stricter holds, and none of its words are reported.
   */
  async load(): Promise<LoadedContract> {
    const { loaded, own } = await this.#readFile();
    if (this.#trust === null || own === null || await this.#trust.isAllowed(own)) return loaded;
    return withoutWords(loaded, this.#trust.offered);
  }

  /** The text of the file, where it says other things than the built-in contract. */
  async readOwnText(): Promise<GuidingText | null> {
    return (await this.#readFile()).own;
  }

  async #readFile(): Promise<ReadContract> {
    const info = await Deno.stat(this.#path).catch(() => null);
    const stamp = info === null
      ? ""
      : `${info.size}:${info.mtime?.getTime() ?? 0}:${info.ino ?? 0}`;
    if (stamp === "" || stamp !== this.#stamp) {
      const reading = readControlFile(this.#path, "contract");
      this.#read = reading.kind === "text"
        ? buildReadContract(reading.text, await parse(reading.text))
        : {
          loaded: reading.kind === "absent" ? NO_FILE : rejectFile([reading.problem]),
          own: null,
        };
      this.#stamp = stamp;
    }
    return this.#read;
  }
}

function buildReadContract(text: string, loaded: LoadedContract): ReadContract {
  const { contract, problems } = loaded;
  const saysNothing = problems.length === 0 &&
    STAGES.every((stage) =>
      formatCanonicalJson(contract[stage]) === formatCanonicalJson(BUILT_IN_CONTRACT[stage])
    );
  const own = saysNothing ? null : { path: ".code-intel/phase_contract.yml", name: "", text };
  return { loaded, own };
}

/** A contract without the words of its file. */
function withoutWords(
  { contract, problems }: LoadedContract,
  offered: readonly string[],
): LoadedContract {
  const place = /line \d+, column \d+/.exec(String(problems[0]?.message ?? ""))?.[0];
  const where = place === undefined ? "" : ` (${place})`;
  const warning = problems.length > 0
    ? `phase_contract.yml is not used: it has ${
      formatCount(problems.length, "fault")
    }${where}; \`code-intel doctor\` names them.`
    : `phase_contract.yml changes what steps say, and nobody allowed that here: the built-in texts hold; ${ALLOW_TEXTS}.`;
  return { contract: keepStricterRules(contract, offered), warning, notices: [], problems };
}

async function parse(text: string): Promise<LoadedContract> {
  // The parser is loaded only for projects with a contract file.
  const yaml = await import("../../context/yaml.ts");
  const counter = new yaml.LineCounter();
  const document = yaml.parseBounded(text, { lineCounter: counter });
  if (document.errors.length > 0) {
    return rejectFile(
      document.errors.map(({ message }) => makeFault(message.split("\n")[0] ?? "")),
    );
  }
  const toPlace = (offset: number): string => {
    const { line, col } = counter.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const dangling = findDangling(yaml, document);
  if (dangling.length > 0) {
    // YAML reads `*bold*` at the start of a text as an alias.
    return rejectFile(
      dangling.map(({ name, offset }) =>
        makeFault(`No anchor "${name}"; quote texts that begin with * (${toPlace(offset)})`)
      ),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    return rejectFile([makeFault(cause instanceof Error ? cause.message : String(cause))]);
  }
  const locate = (path: readonly PropertyKey[]) => toPlace(findKey(yaml, document, path));
  const result = mergeContract(value ?? {}, locate);
  return result.problems.length > 0
    ? rejectFile(result.problems)
    : { contract: result.contract, warning: null, notices: result.notices, problems: [] };
}

/** Offset of the deepest key of a path that exists; of the start of the text where none does. */
function findKey(yaml: Yaml, document: Document, path: readonly PropertyKey[]): number {
  let offset = document.contents?.range?.[0] ?? 0;
  let node: unknown = document.contents;
  for (const part of path) {
    if (yaml.isMap(node)) {
      const pair = node.items.find(({ key }) =>
        String(yaml.isScalar(key) ? key.value : key) === String(part)
      );
      offset = yaml.isNode(pair?.key) ? pair.key.range?.[0] ?? offset : offset;
      node = pair?.value;
    } else if (yaml.isSeq(node)) {
      node = node.items[Number(part)];
      offset = yaml.isNode(node) ? node.range?.[0] ?? offset : offset;
    } else break;
  }
  return offset;
}

/** Aliases without an anchor, with their positions. */
function findDangling(
  yaml: Yaml,
  document: Document,
): readonly { readonly name: string; readonly offset: number }[] {
  const anchors = new Set<string>();
  const dangling: { readonly name: string; readonly offset: number }[] = [];
  yaml.visit(document, (_key, node) => {
    if (yaml.isAlias(node)) {
      if (!anchors.has(node.source)) {
        dangling.push({ name: node.source, offset: node.range?.[0] ?? 0 });
      }
    } else if (yaml.isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
  });
  return dangling;
}

function makeFault(message: string): Problem {
  return { code: "contract_invalid", message };
}

/** Names the faults with their positions; a long list is complete only in the problems. */
function rejectFile(problems: readonly Problem[]): LoadedContract {
  const told = problems.slice(0, MOST_TOLD).map(({ message }) => message).join("; ");
  const more = problems.length > MOST_TOLD ? `; and ${problems.length - MOST_TOLD} more` : "";
  return {
    contract: BUILT_IN_CONTRACT,
    warning: `phase_contract.yml is not used: ${told}${more}`,
    notices: [],
    problems,
  };
}
