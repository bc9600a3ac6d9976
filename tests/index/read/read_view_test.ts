/** Questions to the index, over a database that is written and read as the program does it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createTempRepo } from "../../support/temp_repo.ts";
import { openTestIndex } from "../support.ts";

const FILES = {
  "src/user.ts": `import "./base.ts"
// Looks after 利用者 of the shop.
class UserAccount extends Base {
  function getUserName() { return this.name }
  function set_user_name() {}
}
function login() { return getUserName() }
`,
  "src/base.ts": "class Base {}\nfunction getusername() {}\n",
  "src/copy.ts": "class Base {}\nfunction getusername() {}\n",
  "src2/other.ts": 'import "./base.ts"\nfunction login() {}\n',
  "notes.txt": "login is described here\n",
};

Deno.test("questions are answered from the files of the worktree", async (t) => {
  await using repo = await createTempRepo({ files: FILES });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const { index } = test;
  await t.step("findSymbols() by name, in each way", () =>
    index.read((view) => {
      const names = (name: string, match?: "exact" | "folded" | "words" | "prefix") =>
        view.findSymbols({ name, ...(match === undefined ? {} : { match }) }).hits
          .map((hit) => `${hit.path} ${hit.qualifiedName}`);
      deepEqual(names("getUserName"), ["src/user.ts UserAccount.getUserName"]);
      deepEqual(names("getUserName", "folded"), [
        "src/base.ts getusername",
        "src/copy.ts getusername",
        "src/user.ts UserAccount.getUserName",
      ]);
      deepEqual(names("user_name", "words"), [
        "src/user.ts UserAccount.getUserName",
        "src/user.ts UserAccount.set_user_name",
      ]);
      deepEqual(names("userac", "prefix"), ["src/user.ts UserAccount"]);
      deepEqual(names('"OR*', "words"), []);
      deepEqual(names("", "prefix"), []);
      equal(view.findSymbols({ name: "login", under: "src" }).total, 1);
      equal(view.findSymbols({ name: "login", under: "src2/other.ts" }).total, 1);
      deepEqual(view.findSymbols({ name: "login", limit: 1 }).hits.length, 1);
      const account = view.findSymbols({ name: "UserAccount" }).hits[0];
      deepEqual([account?.bases, account?.kind, account?.line, account?.column], [
        ["Base"],
        "class",
        3,
        7,
      ]);
    }));
  await t.step("listSymbols() of a file and of a folder", () =>
    index.read((view) => {
      deepEqual(view.listSymbols("src/user.ts").map(({ name, parent }) => [name, parent]), [
        ["UserAccount", null],
        ["getUserName", 0],
        ["set_user_name", 0],
        ["login", null],
      ]);
      equal(view.listSymbols("src").length, 8);
      equal(view.listSymbols(".").length, 9);
      equal(view.listSymbols("sr").length, 0);
    }));
  await t.step("occurrences, names and imports", () =>
    index.read((view) => {
      deepEqual(view.findOccurrences("getUserName"), {
        hits: [
          { path: "src/user.ts", line: 4, column: 12, kind: "definition" },
          { path: "src/user.ts", line: 7, column: 27, kind: "read" },
        ],
        total: 2,
      });
      equal(view.findOccurrences("login", { limit: 1 }).total, 3);
      deepEqual(view.findOccurrences("nowhere"), { hits: [], total: 0 });
      deepEqual(view.listNames("src2/other.ts"), ["base", "function", "import", "login", "ts"]);
      deepEqual(view.listModules(), ["./base.ts"]);
      deepEqual(view.findImports("./base.ts").map(({ path }) => path), [
        "src/user.ts",
        "src2/other.ts",
      ]);
      deepEqual(view.listImports("src2/other.ts"), [
        { path: "src2/other.ts", module: "./base.ts", name: null, alias: "", line: 1 },
      ]);
    }));
  await t.step("chunks by file, by id and by words", () =>
    index.read((view) => {
      const [chunk] = view.listChunks("src/base.ts");
      ok(chunk !== undefined);
      deepEqual(chunk.paths, ["src/base.ts", "src/copy.ts"]);
      deepEqual(view.getChunk(chunk.id), chunk);
      equal(view.getChunk("0000000000000000:1-3"), null);
      equal(view.getChunk("ffffffffffffffff:1-3"), null);
      equal(view.getChunk("nonsense"), null);
      const found = (text: string) => view.searchText({ text }).map(({ paths }) => paths[0]);
      equal(found("user name")[0], "src/user.ts");
      deepEqual(found("利用者"), ["src/user.ts"]);
      deepEqual(found("looking"), ["src/user.ts"], "by its stem");
      deepEqual(found('" OR NEAR('), []);
      ok((view.searchText({ text: "login" })[0]?.score ?? 0) > 0);
    }));
  await t.step("files and counts", () =>
    index.read((view) => {
      deepEqual(view.listFiles().map(({ path, language }) => [path, language]), [
        ["notes.txt", null],
        ["src/base.ts", "TypeScript"],
        ["src/copy.ts", "TypeScript"],
        ["src/user.ts", "TypeScript"],
        ["src2/other.ts", "TypeScript"],
      ]);
      const { hash, ...file } = view.getFile("src/base.ts") ?? { hash: "" };
      equal(hash.length, 16);
      deepEqual(file, {
        path: "src/base.ts",
        language: "TypeScript",
        parser: "none",
        isPartial: false,
        lineCount: 3,
        sizeBytes: 40,
      });
      equal(view.getFile("gone.ts"), null);
      deepEqual(view.count(), { files: 5, skipped: 0, contents: 4, chunks: 4, symbols: 7 });
    }));
  await t.step(
    "counts leave out what the database keeps for others, whether that is less or more",
    async () => {
      const countWithout = async (...paths: string[]) => {
        await repo.remove(...paths);
        await index.sync();
        return await index.read((view) => view.count());
      };
      const rest = { skipped: 0, files: 4, contents: 3, chunks: 3, symbols: 3 };
      deepEqual(await countWithout("src/user.ts"), rest);
      const last = { skipped: 0, files: 1, contents: 1, chunks: 1, symbols: 1 };
      deepEqual(await countWithout("src/base.ts", "src/copy.ts", "notes.txt"), last);
    },
  );
});

Deno.test("a word that most files have counts where a rarer one is, and fills up what is left", async () => {
  const many = Array.from({ length: 30 }, (_, at) => [`src/file${at}.ts`, `common number${at}\n`]);
  const plain = Array.from({ length: 40 }, (_, at) => [`lib/file${at}.ts`, `other${at}\n`]);
  await using repo = await createTempRepo({
    files: {
      ...Object.fromEntries([...many, ...plain]),
      "src/file7.ts": "rare common here\n",
      "src/file9.ts": "rare\n",
    },
  });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  await test.index.read((view) => {
    const score = (text: string, limit: number, under = ".") =>
      view.scoreChunks(text, { limit, under, rareHits: 5 }).map(({ content, score }) => ({
        path: view.listContents([content])[0]?.path ?? "",
        score,
      }));
    const paths = (found: ReturnType<typeof score>) => found.map(({ path }) => path);
    const of7 = (found: ReturnType<typeof score>) =>
      found.find(({ path }) => path === "src/file7.ts")?.score ?? 0;
    const both = score("common rare", 2);
    deepEqual(paths(both).sort(), ["src/file7.ts", "src/file9.ts"]);
    const alone = of7(score("rare", 2));
    const common = of7(score("common", 1, "src/file7.ts"));
    ok(common > 0.1, `${common}`);
    ok(Math.abs(of7(both) - alone - common) < 1e-9, "each word adds what it tells");
    const more = score("common rare", 20);
    deepEqual(paths(more).slice(0, 2).sort(), ["src/file7.ts", "src/file9.ts"]);
    equal(new Set(paths(more)).size, 20);
    deepEqual(paths(score("common rare", 5, "src/file11.ts")), ["src/file11.ts"]);
  });
});

Deno.test("what a folder has of a rarer word is found, however much of it lies elsewhere", async () => {
  const many = (count: number, toFile: (at: number) => readonly [path: string, text: string]) =>
    Array.from({ length: count }, (_, at) => toFile(at));
  const long = many(40, (at) => [`w${at}`, ""]).map(([word]) => word).join(" ");
  await using repo = await createTempRepo({
    files: Object.fromEntries([
      ...many(8, (at) => [`lib/a${at}.ts`, `rare rare rare rare a${at}\n`]),
      ...many(8, (at) => [`lib/b${at}.ts`, `rare rare rare common b${at}\n`]),
      ...many(40, (at) => [`lib/c${at}.ts`, `common c${at}\n`]),
      ["src/only.ts", `rare here ${long}\n`],
      ...many(3, (at) => [`src/d${at}.ts`, `common d${at}\n`]),
    ]),
  });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  await test.index.read((view) => {
    for (const limit of [1, 3, 10, 100]) {
      const [best] = view.scoreChunks("rare common", { limit, under: "src", rareHits: 20 });
      equal(view.listContents([best?.content ?? 0])[0]?.path, "src/only.ts", `${limit}`);
    }
  });
});

Deno.test("a path with a rarer word of a question comes first, whatever the words are that most have", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 450 }, (_, at) => [`common/part${at}.txt`, `${at}\n`]),
  );
  await using repo = await createTempRepo({
    files: { ...files, "common/rare.txt": "a\n", "other/rare.txt": "b\n" },
  });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  await test.index.read((view) => {
    const rare = ["common/rare.txt", "other/rare.txt"];
    deepEqual([...view.searchPaths("common rare", 2)].sort(), rare);
    const more = view.searchPaths("common rare", 30);
    deepEqual(more.slice(0, 2).toSorted(), rare);
    equal(new Set(more).size, 30);
    deepEqual(view.searchPaths("common nothing", 3).length, 3);
  });
});
