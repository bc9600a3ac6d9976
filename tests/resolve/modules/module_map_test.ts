/** Which files an import leads to, by the rules of languages and what build files say. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import {
  findExport,
  isBuildFile,
  readBuildFacts,
} from "../../../src/resolve/modules/build_files.ts";
import { createModuleMap } from "../../../src/resolve/modules/module_map.ts";
import type { Family } from "../../../src/language/families.ts";

type Row = readonly [from: string, module: string, expected: readonly string[]];

/** Files with a text are build files; all are files of the project. */
function check(
  title: string,
  family: Family,
  { files, rows }: {
    readonly files: Readonly<Record<string, string>>;
    readonly rows: readonly Row[];
  },
): void {
  Deno.test(`createModuleMap() ${title}`, () => {
    const texts = new Map(Object.entries(files).filter(([path]) => isBuildFile(path)));
    const map = createModuleMap(Object.keys(files), readBuildFacts(texts));
    for (const [from, module, expected] of rows) {
      deepEqual(map.find(module, { from, family }), expected, `${module} from ${from}`);
    }
  });
}

check("knows paths, aliases, workspaces and exports of scripts", "script", {
  files: {
    "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@ui/*": ["./libs/ui/*"] } } }',
    "apps/web/tsconfig.json": '{ "extends": "../../tsconfig.base", // as ever\n }',
    "apps/web/package.json": '{ "name": "web", "imports": { "#db": "./src/db.ts" } }',
    "apps/web/src/main.ts": "",
    "apps/web/src/db.ts": "",
    "apps/web/src/views/home.vue": "",
    "libs/ui/button.tsx": "",
    "libs/ui/form/index.ts": "",
    "libs/kit/package.json":
      '{ "name": "@acme/kit", "main": "./dist/index.js", "exports": { ".": "./dist/index.js", "./x/*": { "import": "./dist/x/*.mjs" } } }',
    "libs/kit/src/index.ts": "",
    "libs/kit/src/x/tool.ts": "",
    "deno.json": '{ "imports": { "std/": "./vendor/std/", "one": "./vendor/one.ts" } }',
    "vendor/std/path.ts": "",
    "vendor/one.ts": "",
  },
  rows: [
    ["apps/web/src/main.ts", "./db.js", ["apps/web/src/db.ts"]],
    ["apps/web/src/main.ts", "./views/home.vue", ["apps/web/src/views/home.vue"]],
    ["apps/web/src/main.ts", "@ui/button", ["libs/ui/button.tsx"]],
    ["apps/web/src/main.ts", "@ui/form", ["libs/ui/form/index.ts"]],
    ["apps/web/src/main.ts", "#db", ["apps/web/src/db.ts"]],
    ["apps/web/src/main.ts", "@/db", ["apps/web/src/db.ts"]],
    ["apps/web/src/main.ts", "@acme/kit", ["libs/kit/src/index.ts"]],
    ["apps/web/src/main.ts", "@acme/kit/x/tool", ["libs/kit/src/x/tool.ts"]],
    ["apps/web/src/main.ts", "std/path.ts", ["vendor/std/path.ts"]],
    ["apps/web/src/main.ts", "one", ["vendor/one.ts"]],
    ["apps/web/src/main.ts", "react", []],
    ["apps/web/src/main.ts", "node:fs", []],
  ],
});

check(
  "takes what Node and other packages bring for no file of the project that is named alike",
  "script",
  {
    files: {
      "tsconfig.json": '{ "compilerOptions": { "baseUrl": "src" } }',
      "src/path.ts": "",
      "src/own.ts": "",
      "src/b.ts": "",
      "react.js": "",
      "web/lodash/get.ts": "",
    },
    rows: [
      ["src/b.ts", "path", []],
      ["src/b.ts", "node:path", []],
      ["src/b.ts", "fs/promises", []],
      ["src/b.ts", "react", []],
      ["src/b.ts", "lodash/get", []],
      ["src/b.ts", "./path", ["src/path.ts"]],
      ["src/b.ts", "own", ["src/own.ts"]],
    ],
  },
);

check(
  "takes no ending of a path for a module of Python, and no file for a part of its library",
  "python",
  {
    files: {
      "tools/json.py": "",
      "tools/run.py": "",
      "tools/near.py": "",
      "kits/core/pyproject.toml": "",
      "kits/core/src/core/__init__.py": "",
      "main.py": "",
    },
    rows: [
      ["tools/run.py", "json", []],
      ["tools/run.py", "near", ["tools/near.py"]],
      ["main.py", "near", []],
      ["main.py", "core", ["kits/core/src/core/__init__.py"]],
    ],
  },
);

check("begins imports of Python where they begin, never inside of a package", "python", {
  files: {
    "src/shop/__init__.py": "",
    "src/shop/json.py": "",
    "src/shop/sub/cart.py": "",
    "tests/helper.py": "",
    "tests/apps/inner/shop.py": "",
  },
  rows: [
    ["tests/test_a.py", "shop", ["src/shop/__init__.py"]],
    ["tests/test_a.py", "shop.sub.cart", ["src/shop/sub/cart.py"]],
    ["tests/test_a.py", "helper", ["tests/helper.py"]],
    ["src/shop/sub/cart.py", "..json", ["src/shop/json.py"]],
    ["src/shop/sub/cart.py", ".", []],
    ["src/shop/sub/cart.py", "json", []],
  ],
});

check("finds the packages of Go modules, without their tests", "go", {
  files: {
    "go.mod": "module example.com/a // a comment\n",
    "main.go": "",
    "util/one.go": "",
    "util/one_test.go": "",
    "tools/go.mod": "module example.com/a/tools\n",
    "tools/gen/gen.go": "",
  },
  rows: [
    ["main.go", "example.com/a/util", ["util/one.go"]],
    ["main.go", "example.com/a", ["main.go"]],
    ["main.go", "example.com/a/tools/gen", ["tools/gen/gen.go"]],
    ["main.go", "example.com/other/util", []],
  ],
});

check("reads PSR-4 prefixes of Composer", "php", {
  files: {
    "composer.json":
      '{ "autoload": { "psr-4": { "App\\\\": "app/", "App\\\\Core\\\\": ["core/"] } } }',
    "app/Models/User.php": "",
    "core/Kernel.php": "",
  },
  rows: [
    ["x.php", "App\\Models\\User", ["app/Models/User.php"]],
    ["x.php", "App\\Core\\Kernel", ["core/Kernel.php"]],
    ["x.php", "Other\\Thing", []],
  ],
});

check("finds modules and crates of Rust", "rust", {
  files: {
    "app/Cargo.toml": '[package]\nname = "app"\n',
    "app/src/lib.rs": "",
    "app/src/net/mod.rs": "",
    "kit/Cargo.toml": '[package]\nversion = "1"\nname = "my-kit"\n',
    "kit/src/lib.rs": "",
    "kit/src/io.rs": "",
  },
  rows: [
    ["app/src/lib.rs", "crate::net", ["app/src/net/mod.rs"]],
    ["app/src/lib.rs", "my_kit::io::Reader", ["kit/src/io.rs"]],
    ["app/src/lib.rs", "std::io", []],
  ],
});

check("finds files, folders and inner names of the virtual machine", "jvm", {
  files: { "src/main/java/com/x/A.java": "", "src/main/kotlin/com/y/b.kt": "" },
  rows: [
    ["q.java", "com.x.A", ["src/main/java/com/x/A.java"]],
    ["q.java", "com.x.A.Inner", ["src/main/java/com/x/A.java"]],
    ["q.java", "com.y", ["src/main/kotlin/com/y/b.kt"]],
    ["q.java", "java.util", []],
  ],
});

check("finds headers beside and by their end", "c", {
  files: { "src/a.c": "", "src/a.h": "", "include/lib/b.h": "" },
  rows: [
    ["src/a.c", "a.h", ["src/a.h"]],
    ["src/a.c", "<lib/b.h>", ["include/lib/b.h"]],
    ["src/a.c", "<stdio.h>", []],
  ],
});

check("takes the packages of Dart by their names", "dart", {
  files: { "pubspec.yaml": "name: app\n", "lib/http.dart": "", "lib/main.dart": "" },
  rows: [
    ["lib/main.dart", "package:app/http.dart", ["lib/http.dart"]],
    ["lib/main.dart", "package:http/http.dart", []],
    ["lib/main.dart", "http.dart", ["lib/http.dart"]],
  ],
});

check("finds sheets, partials and views", "style", {
  files: { "css/a.css": "", "css/_vars.scss": "", "views/parts/nav.blade.php": "" },
  rows: [
    ["css/main.scss", "vars", ["css/_vars.scss"]],
    ["index.html", "css/a.css?v=1", ["css/a.css"]],
    ["views/home.blade.php", "parts.nav", ["views/parts/nav.blade.php"]],
  ],
});

Deno.test("findExport() takes sources first and reads conditions, lists and stars", () => {
  deepEqual(findExport("./a.js", "."), ["./a.js"]);
  deepEqual(findExport({ import: "./a.mjs", "@src": "./a.ts" }, "."), ["./a.ts", "./a.mjs"]);
  deepEqual(findExport({ "./*": ["./x/*.js"] }, "./y/z"), ["./x/y/z.js"]);
  deepEqual(findExport({ "./a": null }, "./a"), []);
  deepEqual(findExport(undefined, "."), []);
});
