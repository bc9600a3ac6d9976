/** Changes of tools that the due task names, and changes that only look like them. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toToolWrites } from "../../src/ledger/named_tools.ts";
import type { ObservedChange } from "../../src/ledger/ledger.ts";

interface Row {
  readonly item: string;
  readonly cleared?: readonly string[];
  /** Changes as `added path`; without a word they are modified. */
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    item: "Refuse an empty name",
    own: [],
    foreign: ["src/a.ts", "package-lock.json", "src/gen/a.ts"],
  },
  {
    item: "Run prettier over src",
    own: ["src/a.ts", "src/b.css"],
    foreign: ["added src/c.ts", "deleted src/a.ts"],
  },
  { item: "Run black on the package", own: ["a.py"], foreign: ["added b.py"] },
  { item: "Format the date in the view", own: [], foreign: ["src/a.ts"] },
  { item: "Make the button black", own: [], foreign: ["src/a.ts"] },
  {
    item: "Add the dependency left-pad by npm install",
    own: ["package.json", "package-lock.json", "added web/yarn.lock"],
    foreign: ["src/a.ts", "index.js"],
  },
  {
    item: "Use the new option",
    cleared: ["web/package.json"],
    own: ["web/package-lock.json"],
    foreign: ["package-lock.json", "web/package.json"],
  },
  {
    item: "Regenerate the client from the schema",
    own: ["added src/gen/client.ts", "api/user.pb.go", "deleted src/__generated__/a.ts"],
    foreign: ["src/a.ts", "added src/b.ts"],
  },
  {
    item: "Update the snapshots",
    own: ["tests/__snapshots__/a.snap"],
    foreign: ["tests/a.test.ts"],
  },
];

function toChange(text: string): ObservedChange {
  const [, kind = "modified", path = text] = /^(added|deleted) (.*)$/.exec(text) ?? [];
  return { path, kind: kind as ObservedChange["kind"], sizeBytes: 1 };
}

Deno.test("toToolWrites() takes changes for those of a tool where the task names it, and no others", () => {
  for (const { item, cleared = [], own, foreign } of ROWS) {
    const task = { description: "", checklist: [{ item, status: "pending" as const }] };
    const isToolWrite = toToolWrites({ task, cleared: new Set(cleared) });
    deepEqual([...own, ...foreign].filter((text) => isToolWrite(toChange(text))), [...own], item);
  }
});

Deno.test("toToolWrites() takes nothing where no task is due, and no link that leads outside", () => {
  const none = toToolWrites({ task: null, cleared: new Set(["package.json"]) });
  deepEqual(none(toChange("package-lock.json")), false);
  const task = { description: "Run prettier", checklist: [] };
  const isToolWrite = toToolWrites({ task, cleared: new Set() });
  deepEqual(isToolWrite({ ...toChange("src/a.ts"), leadsOutside: true }), false);
});
