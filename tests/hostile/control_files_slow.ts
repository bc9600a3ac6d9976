/** Control files of a clone that are no ordinary files: nothing outside is read, nothing hangs, the person is told. */
import { match, strictEqual as equal } from "node:assert/strict";
import type { Ground } from "./ground.ts";
import type { OddFile } from "./odd_files.ts";
import { ODD_FILES } from "./odd_files.ts";
import type { HostileRow } from "./row.ts";
import { testGroup } from "./row.ts";

/** Settings, which every call looks at; the start of a session names what is wrong with them. */
const SETTINGS = [
  ".code-intel/config.json",
  ".code-intel/context.yml",
  ".code-intel/phase_contract.yml",
];

/** Build files, which say how modules find each other. */
const OF_PROJECT = ["go.mod", "package.json", "tsconfig.json"];

function toRow(
  { what, make }: OddFile,
  { paths, name, ask }: {
    readonly paths: readonly string[];
    readonly name: string;
    readonly ask: (ground: Ground) => Promise<void>;
  },
): HostileRow {
  return {
    tried: `${name} is ${what}`,
    plant: async (ground) => {
      for (const path of paths) await make(ground, path);
    },
    ask,
    undo: async (ground) => {
      for (const path of paths) await ground.clear(path);
    },
  };
}

const ASKED = ODD_FILES.map((odd) =>
  toRow(odd, {
    name: "each control file",
    paths: [...SETTINGS, ...OF_PROJECT, ".gitmodules"],
    ask: async (ground) => {
      const found = await ground.call("find_definitions", { symbol: "login" });
      equal(found.isError, false, found.text);
      equal(found.reply.definitions[0].path, "src/auth.ts", found.text);
    },
  })
);

const STARTED = ODD_FILES.map((odd) =>
  toRow(odd, {
    name: "each file of settings",
    paths: SETTINGS,
    ask: async (ground) => {
      const query = "Refuse an empty name in login";
      const start = { intent: "QUESTION", query, on_unfinished: "abandon" };
      const { reply, isError, text } = await ground.call("start_session", start);
      equal(isError, false, text);
      const told: readonly string[] = [...reply.notices, reply.contract_warning];
      for (const path of SETTINGS) {
        const line = told.find((notice) => notice.includes(`Cannot use "${path}": `)) ?? "";
        match(line, odd.said, `${path}: ${text}`);
      }
    },
  })
);

testGroup("control files that are no ordinary files are named, and the built-in values hold", {
  rows: [...ASKED, ...STARTED],
});
