/** The dependency direction of the folders of `src`, and what only one place may do. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { dirname, join } from "node:path/posix";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, ROOT, toCode, toImports } from "./source_files.ts";
import { CORE, FLOORS, LAYERS } from "./layers.ts";

/** Packages and the files that may import them; a folder ends with `/`. */
const PACKAGES: readonly { readonly name: RegExp; readonly allowed: readonly string[] }[] = [
  {
    name: /^@modelcontextprotocol\//,
    allowed: ["mcp/", "features/http/", "features/hub/commands/hub_serve.ts"],
  },
  {
    name: /^zod$/,
    allowed: [
      "tools/",
      "features/hub/answers/hub_rows.ts",
      "features/attest/statement_schema.ts",
      "features/attest/proof_statement.ts",
      "features/report/report_schema.ts",
      "base/settings/config.ts",
      "base/settings/config_check.ts",
      "base/settings/config_keys.ts",
      "session/session.ts",
      "phase/contract/contract.ts",
      "phase/payload/payload_fields.ts",
      "phase/payload/payloads.ts",
      "phase/payload/payload_problems.ts",
      "index/store/schema.ts",
      "features/learning/",
      "backends/",
    ],
  },
  { name: /^yaml$/, allowed: ["context/", "project/", "workflow/context/contract_file.ts"] },
  { name: /^@bufbuild\/protobuf\//, allowed: ["features/scip/decode.ts"] },
  { name: /^@jridgewell\//, allowed: ["features/runs/"] },
  { name: /^pg$/, allowed: ["features/hub/postgres/link_worker.ts"] },
  { name: /^onnxruntime-web$/, allowed: ["embedding/encoder.ts"] },
  { name: /^(?:jsonc-parser|smol-toml)$/, allowed: ["project/"] },
  { name: /^node:child_process$/, allowed: [] },
  // Files are opened by `base/files/open_file.ts`. The doors of `base` need flags that it cannot pass, and close in `finally`
  // what they open; a stamp only asks whether a file is there, and the watch looks at files with times in nanoseconds.
  {
    name: /^(?:node:)?fs(?:\/promises)?$/,
    allowed: [
      "base/files/regular_file.ts",
      "base/files/file_stamp.ts",
      "base/files/own_folder.ts",
      "base/files/waited_pipe.ts",
      "workflow/verify/run_watch.ts",
    ],
  },
];

/** Words that only some files may use. */
const RESERVED: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly allowed: readonly string[];
}[] = [
  { what: "spawns", pattern: /\bDeno\.Command\b/, allowed: ["base/processes/process.ts"] },
  { what: "runs git", pattern: /\brunProcess\(\s*["']git["']/, allowed: ["git/"] },
  { what: "exits", pattern: /\bDeno\.exit\b|\bprocess\.exit\b/, allowed: ["main.ts"] },
  {
    what: "opens files",
    pattern: /\bDeno\.(?:open|create)(?:Sync)?\b|\bcreate(?:Read|Write)Stream\b/,
    allowed: ["base/files/open_file.ts"],
  },
  // Elsewhere the time is a `Clock`. These compare times of files, which the machine sets, or make their defaults.
  {
    what: "reads the time",
    pattern: /\bnew Date\(\s*\)|\bDate\.now\b/,
    allowed: [
      "backends/regular_files.ts",
      "base/clock.ts",
      "base/files/atomic_write.ts",
      "git/index/own_store.ts",
      "git/index/private_index.ts",
      "git/index/seed_index.ts",
      "git/locks.ts",
      "index/code_index.ts",
      "index/looks.ts",
      "ledger/file_scan.ts",
      "ledger/object_store.ts",
      "project/unfinished_writes.ts",
      "resolve/fact_store.ts",
      "session/checkpoint_reader.ts",
    ],
  },
  {
    what: "writes to stdout",
    pattern: /\bDeno\.stdout\b/,
    allowed: ["mcp/transport/server.ts", "cli/"],
  },
];

Deno.test("src imports only what the table of layers allows", async () => {
  const found = (await readSourceFiles("src")).flatMap(toOffences);
  expectNone(
    found,
    "Move the code to where it may be used, or change the table in tests/tidy/layers.ts, or PACKAGES or RESERVED in tests/tidy/layers_test.ts, and say why there.",
  );
});

Deno.test("toOffences() names an import against the direction, and a reserved word", () => {
  const rows: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
    ["src/phase/a.ts", `import { x } from "../base/problem.ts";`, []],
    ["src/phase/a.ts", `import { x } from "./b.ts";`, []],
    ["src/phase/a.ts", `import type { X } from "../git/merge.ts";`, [
      "src/phase/a.ts imports git (../git/merge.ts)",
    ]],
    ["src/git/a.ts", `export { x } from "../workflow/context/sessions.ts";`, [
      "src/git/a.ts imports workflow (../workflow/context/sessions.ts)",
    ]],
    ["src/workflow/a.ts", `import { x } from "../git/merge.ts";`, []],
    ["src/tools/rows/a.ts", `import type { Services } from "../../services/services_api.ts";`, []],
    ["src/tools/rows/a.ts", `import { x } from "../../cli/run.ts";`, [
      "src/tools/rows/a.ts imports cli (../../cli/run.ts)",
    ]],
    ["src/git/a.ts", `import * as z from "zod";`, ["src/git/a.ts imports zod"]],
    ["src/cli/a.ts", `import { S } from "@modelcontextprotocol/server";`, [
      "src/cli/a.ts imports @modelcontextprotocol/server",
    ]],
    ["src/git/a.ts", `new Deno.Command("git");`, ["src/git/a.ts spawns"]],
    ["src/git/a.ts", `using file = await Deno.open(path);`, ["src/git/a.ts opens files"]],
    ["src/git/a.ts", `const file = Deno.createSync(path);`, ["src/git/a.ts opens files"]],
    ["src/git/a.ts", `import { open } from "node:fs/promises";`, [
      "src/git/a.ts imports node:fs/promises",
    ]],
    ["src/base/files/open_file.ts", `await Deno.open(path);`, []],
    ["src/explore/a.ts", `await runProcess("git", []);`, ["src/explore/a.ts runs git"]],
    ["src/cli/a.ts", `const at = new Date();`, ["src/cli/a.ts reads the time"]],
    ["src/cli/a.ts", `const at = new Date(text);`, []],
    ["src/cli/a.ts", `Deno.exit(1);`, ["src/cli/a.ts exits"]],
    ["src/cli/a.ts", `// Deno.exit(1) is for main.ts.`, []],
    ["src/main.ts", `import { FEATURES } from "./features/features.ts";`, []],
    ["src/cli/a.ts", `import { x } from "../features/map/a.ts";`, [
      "src/cli/a.ts imports features/map (../features/map/a.ts)",
    ]],
    ["src/features/map/a.ts", `import { x } from "../../cli/answer.ts";`, []],
    ["src/features/map/a.ts", `import { FEATURES } from "../features.ts";`, [
      "src/features/map/a.ts imports features (../features.ts)",
    ]],
    ["src/tricks/a.ts", "", ["src/tricks/a.ts lies in a folder that the table does not know"]],
  ];
  for (const [path, text, expected] of rows) deepEqual(toOffences({ path, text }), expected, text);
});

/** The folders of the workflow: each may import those before it, and none that follows. */
const WORKFLOW = ["context", "look", "resolve", "effects", "verify", "advance", "calls"];

Deno.test("a folder of the workflow imports only those before it in the line", async () => {
  const found = (await readSourceFiles("src/workflow")).flatMap(({ path, text }) => {
    const at = (file: string) => WORKFLOW.indexOf(file.split("/")[2] ?? "");
    if (at(path) < 0) return [];
    return toImports(text).map(({ specifier }) => join(dirname(path), specifier))
      .filter((target) => target.startsWith("src/workflow/"))
      .filter((target) => at(target) < 0 || at(target) > at(path))
      .map((target) => `${path} imports ${target}`);
  });
  expectNone(
    found,
    "Move what both need into the earlier folder of WORKFLOW in tests/tidy/layers_test.ts.",
  );
});

Deno.test("imports go down the layers, and the page of the architecture names each layer with its folders", async () => {
  const names = FLOORS.flatMap(({ folders }) => folders);
  const floorOf = (name: string) => FLOORS.findIndex(({ folders }) => folders.includes(name));
  const upward = names.flatMap((name) =>
    (LAYERS[name] ?? []).filter((other) => names.includes(other) && floorOf(other) < floorOf(name))
      .map((other) => `${name} may import ${other}`)
  );
  expectNone(upward, "Move the folder to another layer of tests/tidy/layers.ts.");
  const page = await Deno.readTextFile(join(ROOT, "docs/architecture.md"));
  const rows = FLOORS.map(({ layer, folders }) =>
    `| ${layer} | ${folders.map((name) => `\`${name}\``).join(", ")} |`
  );
  expectNone(
    rows.filter((row) => !page.includes(row)),
    "Correct the table of docs/architecture.md.",
  );
});

Deno.test("no files of src import each other in a circle, not even for types", async () => {
  expectNone(
    findCircles(await readSourceFiles("src")).map((circle) => circle.join(" → ")),
    "Move what both need into a third file.",
  );
});

Deno.test("no file of src loads itself late: the bundle of the program cannot give it", async () => {
  const found = (await readSourceFiles("src")).filter(({ path, text }) =>
    // A type runs nothing.
    toImports(text.replaceAll("typeof import(", ""))
      .some(({ specifier }) => join(dirname(path), specifier) === path)
  );
  expectNone(found.map(({ path }) => path), "Call what the file has itself.");
});

Deno.test("findCircles() finds circles of any length, and no diamond", () => {
  const files = (rows: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(rows).map(([name, targets]) => ({
      path: `src/${name}.ts`,
      text: targets.map((target) => `import type { X } from "./${target}.ts";\n`).join(""),
    }));
  deepEqual(findCircles(files({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })), []);
  deepEqual(findCircles(files({ a: ["b"], b: ["c"], c: ["b"] })), [["src/b.ts", "src/c.ts"]]);
  deepEqual(findCircles(files({ a: ["b"], b: ["c"], c: ["a"], d: ["a"] })), [
    ["src/a.ts", "src/b.ts", "src/c.ts"],
  ]);
});

/** Sets of files that reach each other by imports that are loaded with them (Tarjan), sorted. */
function findCircles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const known = new Set(files.map(({ path }) => path));
  const targets = new Map(files.map(({ path, text }) => [
    path,
    toImports(text).filter(({ isLazy }) => !isLazy)
      .map(({ specifier }) => join(dirname(path), specifier)).filter((target) => known.has(target)),
  ]));
  const numbers = new Map<string, { number: number; lowest: number }>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string) => {
    const own = { number: numbers.size, lowest: numbers.size };
    numbers.set(path, own);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      const other = numbers.get(target) ?? visit(target);
      if (stack.includes(target)) own.lowest = Math.min(own.lowest, other.lowest);
    }
    if (own.lowest === own.number) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) found.push(circle.sort());
    }
    return own;
  };
  for (const path of targets.keys()) if (!numbers.has(path)) visit(path);
  return found;
}

function toOffences(file: SourceFile): string[] {
  const inside = file.path.slice("src/".length);
  const own = toUnit(inside);
  const mayImport = toPermission(own);
  if (mayImport === null) {
    return [`${file.path} lies in a folder that the table does not know`];
  }
  const found: string[] = [];
  for (const { specifier } of toImports(file.text)) {
    if (!specifier.startsWith(".")) {
      if (!mayImportPackage(inside, specifier)) found.push(`${file.path} imports ${specifier}`);
      continue;
    }
    const target = join(dirname(inside), specifier);
    const unit = toUnit(target);
    if (unit === own) continue;
    if (!mayImport(unit)) found.push(`${file.path} imports ${unit} (${specifier})`);
  }
  const code = toCode(file.text, { keepStrings: true });
  for (const { what, pattern, allowed } of RESERVED) {
    if (pattern.test(code) && !isListed(inside, allowed)) found.push(`${file.path} ${what}`);
  }
  return found;
}

/** What a folder may import; null where the table does not know it. */
function toPermission(own: string): ((unit: string) => boolean) | null {
  if (own === "features") return (unit) => unit === "cli" || unit.startsWith("features/");
  // Nothing of the core imports a feature, and no feature another one.
  const allowed = own.startsWith("features/") ? CORE : LAYERS[own];
  return allowed === undefined ? null : (unit) => allowed.includes(unit);
}

/** The folder of a path below `src`, that of a feature, or the file where it lies in `src` itself. */
function toUnit(path: string): string {
  return /^features\/[^/]+(?=\/)|^[^/]+/.exec(path)?.[0] ?? path;
}

function mayImportPackage(inside: string, specifier: string): boolean {
  const row = PACKAGES.find(({ name }) => name.test(specifier));
  return row === undefined || isListed(inside, row.allowed);
}

function isListed(inside: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => entry.endsWith("/") ? inside.startsWith(entry) : inside === entry);
}
