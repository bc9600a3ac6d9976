/** Where a module may lie, by language. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { familyOf } from "../../../src/language/languages.ts";
import { findModule } from "../../../src/resolve/modules/module_paths.ts";

type Row = readonly [
  language: string,
  module: string,
  from: string,
  takes: readonly string[],
  leaves: readonly string[],
];

const ROWS: readonly Row[] = [
  ["Ruby", "../b", "lib/x/a.rb", ["lib/b.rb"], ["b.rb"]],
  ["Ruby", "json", "bin/a.rb", ["lib/json.rb", "bin/json.rb"], ["tools/json.rb", "x/lib/json.rb"]],
  ["Lua", "a.b", "main.lua", ["a/b.lua", "src/a/b/init.lua"], ["b.lua", "tools/a/b.lua"]],
  ["Rust", "crate::a::b", "src/c.rs", ["src/a/b.rs", "src/a/b/mod.rs", "src/a.rs"], ["src/b.rs"]],
  ["Rust", "super::d", "src/a/b.rs", ["src/a/d.rs", "src/a.rs"], ["src/b/d.rs"]],
  ["Rust", "other_crate::x", "main/src/a.rs", ["other-crate/src/x.rs"], ["x.rs"]],
  ["Java", "com.x", "A.java", ["src/com/x/B.java"], ["src/com/y/B.java"]],
  ["Kotlin", "com.x.B", "A.kt", ["src/com/x/B.kt"], ["src/com/x/C.kt"]],
  ["C", "lib/x.h", "src/a.c", ["lib/x.h", "include/lib/x.h", "src/lib/x.c"], ["lib/y.h"]],
  ["Dart", "package:app/a/b.dart", "lib/c.dart", ["lib/a/b.dart"], ["a/b.dart"]],
  ["Dart", "b.dart", "lib/c.dart", ["lib/b.dart"], ["b.dart"]],
  ["Haskell", "Data.Tree", "app/Main.hs", ["src/Data/Tree.hs"], ["Tree.hs"]],
  ["Zig", "x.zig", "src/main.zig", ["src/x.zig"], ["src/y.zig", "x.zig", "lib/x.zig"]],
  ["SCSS", "./vars", "css/a.scss", ["css/vars.scss"], ["vars.scss"]],
];

Deno.test("findModule() knows the files of a module, and no others", () => {
  for (const [language, module, from, takes, leaves] of ROWS) {
    const family = familyOf(language);
    if (family === null) throw new Error(language);
    const place = findModule(module, { from, family });
    const title = `${language}: ${module} from ${from}`;
    deepEqual(takes.filter((path) => !place.has(path)), [], title);
    deepEqual(leaves.filter((path) => place.has(path)), [], title);
  }
});

Deno.test("findModule() names the files to look for first, beside the importing one", () => {
  const { files } = findModule("app.m", { from: "src/app/a.lua", family: "lua" });
  deepEqual(files.includes("src/app/m.lua"), true);
  equal(findModule("App\\Models", { from: "a.php", family: "php" }).files.length, 0);
});

Deno.test("familyOf() has no family for data and prose", () => {
  for (const language of ["JSON", "Markdown", "YAML", null]) equal(familyOf(language), null);
});
