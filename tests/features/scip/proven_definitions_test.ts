/**
 * Answers with a SCIP index in the project, as the indexers of TypeScript and Go write it: what it proves, what becomes of that
 * once files change, and what an index that nobody should believe does.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { ReferencesFound } from "../../../src/explore/explorer.ts";
import type { CodeIndex } from "../../../src/index/index_api.ts";
import { readBuildFacts } from "../../../src/resolve/modules/build_files.ts";
import { createModuleMap } from "../../../src/resolve/modules/module_map.ts";
import { readMarked, writeScip } from "./scip_writer.ts";
import type { MarkedSource, Unit, WriteOptions } from "./scip_writer.ts";
import type { IndexedProject } from "../../explore/indexed_project.ts";
import { createIndexedProject } from "../../explore/indexed_project.ts";
import { createProofs } from "./proofs.ts";

const NPM = "scip-typescript npm shop 1.0.0 src/";
const SCRIPT = {
  symbols: {
    store: `${NPM}\`store.ts\`/`,
    Store: `${NPM}\`store.ts\`/Store#`,
    save: `${NPM}\`store.ts\`/Store#save().`,
    Cache: `${NPM}\`cache.ts\`/Cache#`,
    keep: `${NPM}\`cache.ts\`/Cache#save().`,
    pick: `${NPM}\`pick.ts\`/pick().`,
    ttl: `${NPM}\`cache.ts\`/Options#ttl.`,
  },
  unit: "utf16" as Unit,
  files: {
    "src/store.ts": "export class «!Store|Store» {\n  «!save|save»(): void {}\n}\n",
    "src/cache.ts": "export class «!Cache|Cache» {\n  «!save|keep»(): void {}\n}\n" +
      "export const of = (options: { «!ttl|ttl»: number }) => options.«ttl|ttl»;\n",
    "src/pick.ts": [
      "import { «Store|Store» } from «'./store'|store»;",
      "import { «Cache|Cache» } from './cache';",
      "export function «!pick|pick»(«!table|local 1»: Record<string, «Store|Store»>) {",
      "  return «table|local 1»['a'];",
      "}",
      "export const other = new «Cache|Cache»();",
      "",
    ].join("\n"),
    "src/use.ts": [
      "import { «pick|pick» as «choose|pick» } from './pick';",
      "/* 😀 */ «choose|pick»({}).«save|save»(); // by a type that only a compiler knows",
      "export function run(«!save|local 1»: () => void) {",
      "  «save|local 1»();",
      "}",
      "",
    ].join("\n"),
    "src/plain.js": "export const go = (thing) => thing.save();\n",
  },
};

const MOD = "scip-go gomod example.com/shop v1 `example.com/shop`/";
const GO = {
  symbols: {
    Base: `${MOD}Base#`,
    name: `${MOD}Base#Name().`,
    Outer: `${MOD}Outer#`,
    inner: `${MOD}Outer#inner.`,
    other: `${MOD}Other#Name().`,
    Other: `${MOD}Other#`,
    table: `${MOD}table.`,
  },
  unit: "utf8" as Unit,
  files: {
    "go.mod": "module example.com/shop\n\ngo 1.26\n",
    "base.go": [
      "package shop",
      "",
      "type «!Base|Base» struct{}",
      "",
      'func (b «Base|Base») «!Name|name»() string { return "é😀" }',
      "",
      "type «!Other|Other» struct{}",
      "",
      'func (o «Other|Other») «!Name|other»() string { return "" }',
      "",
    ].join("\n"),
    "outer.go": [
      "package shop",
      "",
      "type «!Outer|Outer» struct{ «!inner|inner» map[string][]«Base|Base» }",
      "",
      "func (o «Outer|Outer») Show() string {",
      '\treturn "😀é" + o.«inner|inner»["a"][0].«Name|name»()',
      "}",
      "",
    ].join("\n"),
  },
};

interface Sample {
  readonly symbols: Readonly<Record<string, string>>;
  readonly unit: Unit;
  readonly files: Readonly<Record<string, string>>;
}

function readSample({ symbols, unit, files }: Sample): ReadonlyMap<string, MarkedSource> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, readMarked(path, text, { symbols, unit })]),
  );
}

async function createProject(sample: Sample, options: WriteOptions = {}): Promise<IndexedProject> {
  const sources = readSample(sample);
  const files = Object.fromEntries([...sources].map(([path, { text }]) => [path, text]));
  const project = await createIndexedProject({ files, openProofs: createProofs });
  const documents = [...sources.values()].map(({ document }) => document)
    .filter(({ places }) => places.length > 0);
  await Deno.writeFile(join(project.temp.dir, "index.scip"), writeScip(documents, options));
  return project;
}

async function write({ temp, index }: IndexedProject, path: string, text: string): Promise<void> {
  await Deno.writeTextFile(join(temp.dir, path), text);
  await index.sync();
}

async function findReferences(project: IndexedProject, symbol: string): Promise<ReferencesFound> {
  const input = { symbol, maxResults: 100, includeText: false };
  const answer = await project.explorer.findReferences(input);
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer;
}

/** `path:line:column kind target`, without the definitions. */
function toRows({ references }: ReferencesFound): readonly string[] {
  return references.filter(({ kind }) => kind !== "definition").map((one) =>
    `${one.path}:${one.line}:${one.column} ${one.kind} ${one.definedAt ?? "?"}`
  );
}

Deno.test("findReferences() proves places by the SCIP index of a TypeScript project, and the rest by its rules", async () => {
  for (const hasTypedRanges of [false, true]) {
    await using project = await createProject(SCRIPT, { hasTypedRanges });
    const found = await findReferences(project, "Store.save");
    equal(found.source, "index+scip");
    // The parameter of the same name is left out; what no compiler saw stays a name.
    deepEqual(toRows(found), ["src/plain.js:1:36 call ?", "src/use.ts:2:21 call src/store.ts:2"]);
    match(found.notices?.join() ?? "", /3 places lead to another "save"/);
  }
});

Deno.test("findReferences() lists places that name a symbol by another word", async () => {
  await using project = await createProject(SCRIPT);
  const found = await findReferences(project, "pick");
  deepEqual(toRows(found), [
    "src/use.ts:1:10 import src/pick.ts:3",
    "src/use.ts:2:10 call src/pick.ts:3",
  ]);
});

Deno.test("findReferences() leads to a variable that only its function knows", async () => {
  await using project = await createProject(SCRIPT);
  const rows = toRows(await findReferences(project, "save"));
  ok(rows.includes("src/use.ts:4:3 call src/use.ts:3"), rows.join("\n"));
});

Deno.test("findReferences() follows places by its own rules once their file is another one, and by proof once it is back", async () => {
  await using project = await createProject(SCRIPT);
  const was = readSample(SCRIPT).get("src/use.ts")?.text ?? "";
  await write(project, "src/use.ts", `// One line more.\n${was}`);
  const changed = await findReferences(project, "Store.save");
  equal(changed.source, "index");
  ok(toRows(changed).includes("src/use.ts:3:21 call ?"), toRows(changed).join("\n"));
  await write(project, "src/use.ts", was);
  ok(
    toRows(await findReferences(project, "Store.save")).includes(
      "src/use.ts:2:21 call src/store.ts:2",
    ),
  );
});

Deno.test("findReferences() proves nothing of an unchanged file that leads to another type by now", async () => {
  await using project = await createProject(SCRIPT);
  const was = readSample(SCRIPT).get("src/pick.ts")?.text ?? "";
  // What `choose` gives has the other `save` now, and nothing of the file that calls it has changed.
  await write(
    project,
    "src/pick.ts",
    was.replace("Record<string, Store>", "Record<string, Cache>"),
  );
  const found = await findReferences(project, "Store.save");
  equal(toRows(found).includes("src/use.ts:2:21 call src/store.ts:2"), false);
});

const MOVED = {
  symbols: { Tool: `${NPM}\`kit.ts\`/Tool#`, turn: `${NPM}\`kit.ts\`/Tool#turn().` },
  unit: "utf16" as Unit,
  files: {
    "tsconfig.json": '{ "compilerOptions": { "paths": { "app/*": ["./first/*", "./src/*"] } } }',
    "first/other.ts": "export {};\n",
    "src/kit.ts": "export class «!Tool|Tool» {\n  «!turn|turn»(): void {}\n}\n",
    "src/use.ts": "import { «Tool|Tool» } from 'app/kit';\nnew «Tool|Tool»().«turn|turn»();\n",
  },
};

Deno.test("findReferences() proved places of a file whose imports lead to another file by now", async () => {
  await using project = await createProject(MOVED);
  const ask = async () => {
    const { source, ...found } = await findReferences(project, "Tool");
    return [source, ...toRows({ source, ...found }).filter((row) => row.includes(":2:"))];
  };
  const proven = ["index+scip", "src/use.ts:2:5 call src/kit.ts:1"];
  const other = "export class Tool {\n  turn(): void {}\n}\n";
  deepEqual(await ask(), proven);
  // The text of the import: nothing that it has a place on is another one.
  const { "tsconfig.json": config } = MOVED.files;
  const use = readSample(MOVED).get("src/use.ts")?.text ?? "";
  await write(project, "src/own.ts", other);
  await write(project, "src/use.ts", use.replace("app/kit", "./own"));
  deepEqual(await ask(), ["index", "src/use.ts:2:5 call src/own.ts:1"]);
  await write(project, "src/use.ts", use);
  deepEqual(await ask(), proven);
  // A new file that is looked for first.
  await write(project, "first/kit.ts", other);
  deepEqual(await ask(), ["index", "src/use.ts:2:5 call first/kit.ts:1"]);
  await write(project, "tsconfig.json", config.replace("./first/*", "./none/*"));
  deepEqual(await ask(), proven);
  await write(project, "tsconfig.json", "{}");
  deepEqual(await ask(), ["index", "src/use.ts:2:5 call ?"]);
});

Deno.test("findReferences() proves places by the SCIP index of a Go project, with columns in bytes", async () => {
  await using project = await createProject(GO);
  const found = await findReferences(project, "Base.Name");
  equal(found.source, "index+scip");
  deepEqual(toRows(found), ["outer.go:6:33 call base.go:5"]);
});

Deno.test("findReferences() doubts a name that a new file of a Go package defines too", async () => {
  await using project = await createProject(GO);
  const added = 'package shop\n\nfunc (o Outer) Name() string { return "" }\n';
  await write(project, "more.go", added);
  const found = await findReferences(project, "Base.Name");
  equal(found.source, "index");
  equal(toRows(found).includes("outer.go:6:33 call base.go:5"), false);
});

Deno.test("findDefinitions() says what an indexer proved, and finds what the code index does not have", async () => {
  await using project = await createProject(SCRIPT);
  const ask = async (symbol: string) => {
    const answer = await project.explorer.findDefinitions({
      symbol,
      exactMatch: true,
      maxResults: 9,
    });
    if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
    const places = answer.definitions.map(({ path, line, kind }) => `${path}:${line} ${kind}`);
    return `${answer.source}: ${places.join(" ")}`;
  };
  equal(await ask("Store.save"), "index+scip: src/store.ts:2 method");
  equal(await ask("Options.ttl"), "index+scip: src/cache.ts:4 variable");
  equal(await ask("go"), "index: src/plain.js:1 function");
});

Deno.test("findReferences() answers by its rules, and says so, where the SCIP index is damaged or hostile", async () => {
  await using project = await createProject(SCRIPT);
  const path = join(project.temp.dir, "index.scip");
  await Deno.writeTextFile(path, "version https://git-lfs.github.com/spec/v1\n");
  const damaged = await findReferences(project, "Store.save");
  equal(damaged.source, "index");
  match(
    damaged.notices?.[0] ?? "",
    /^The SCIP index index\.scip is not used: it is damaged or cut off\.$/,
  );
  const places = [
    { range: [1, 9, 13], symbol: "s m n v evil().", roles: 0 },
    { range: [-1, -5, 2_000_000_000], symbol: "s m n v evil().", roles: 1 },
    { range: [2_000_000_000, 0, 1], symbol: "s m n v evil().", roles: 1 },
  ];
  const paths = [
    "../../../etc/passwd",
    "/etc/passwd",
    "src/use.ts",
    "src/nowhere.ts",
    ".git/config",
  ];
  await Deno.writeFile(path, writeScip(paths.map((one) => ({ path: one, places }))));
  const hostile = await findReferences(project, "Store.save");
  deepEqual([hostile.source, hostile.notices?.length], ["index", 1]);
});

Deno.test("findReferences() answers as before where there is no SCIP index, or none any more", async () => {
  await using project = await createProject(SCRIPT);
  equal((await findReferences(project, "Store.save")).source, "index+scip");
  await Deno.remove(join(project.temp.dir, "index.scip"));
  const found = await findReferences(project, "Store.save");
  deepEqual([found.source, found.notices?.length], ["index", 1]);
});

Deno.test("ProofStore lets an answer go on without work that takes longer than it waits, and says so", async () => {
  await using project = await createProject(SCRIPT);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { index, temp } = project;
  const slow: CodeIndex = {
    sync: (...options) => index.sync(...options),
    ensureFresh: (...options) => index.ensureFresh(...options),
    findChanged: (...asked) => index.findChanged(...asked),
    listFiles: (options) => index.listFiles(options),
    looked: () => index.looked(),
    peek: (options) => index.peek(options),
    read: async (query) => {
      await gate;
      return await index.read(query);
    },
    listContents: () => index.listContents(),
    readRecords: (blobs) => index.readRecords(blobs),
    meaning: (of) => index.meaning(of),
    hold: () => index.hold(),
    rest: () => index.rest(),
    status: () => index.status(),
    close: () => index.close(),
  };
  const proofs = createProofs(temp.dir, slow, 100);
  const modules = createModuleMap(Object.keys(SCRIPT.files), readBuildFacts(new Map()));
  equal(await proofs.load(modules), null);
  deepEqual(proofs.toNotices(), ["The SCIP index is being read: the next answers have it."]);
  open();
  let found = await proofs.load(modules);
  for (let look = 0; found === null && look < 200; look++) found = await proofs.load(modules);
  deepEqual(found?.places.counts, { documents: 4, trusted: 4 });
  deepEqual(proofs.toNotices(), []);
});
