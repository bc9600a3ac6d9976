/** Small repositories that import one another by the names of packages, each with an index outside of it. */
import { basename, dirname, join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { createBackends } from "../../../src/backends/detect.ts";
import { walkFiles } from "../../../src/backends/regular_files.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import type { CodeIndex } from "../../../src/index/index_api.ts";
import { createCodeIndex } from "../../../src/index/code_index.ts";
import type { Workspace } from "../../../src/features/workspace/workspace.ts";
import { createWorkspace } from "../../../src/features/workspace/workspace.ts";
import { giveUp } from "../../support/temp_folder.ts";

/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** One package of each kind, under names that others use too. */
export const UTIL: Files = {
  "npm/package.json":
    `{"name": "@acme/util", "exports": {".": "./dist/index.js", "./text": "./dist/text.js"}}`,
  "npm/src/index.ts":
    `export { load } from "./load.ts";\nexport { default as Store } from "./store.ts";\n`,
  "npm/src/load.ts": `export function load(path: string): string {\n  return path;\n}\n`,
  "npm/src/store.ts": `export default class Store {\n  saveTs(x: string): void {}\n}\n`,
  "npm/src/text.ts": `export const trimTs = (s: string) => s.trim();\n`,
  "go/go.mod": "module example.com/acme/util\n\ngo 1.22\n",
  "go/load.go":
    "package util\n\ntype Shelf struct{}\n\nfunc (s *Shelf) Put(x string) {}\n\nfunc Open(path string) *Shelf { return &Shelf{} }\n",
  "py/pyproject.toml": `[project]\nname = "acme-util"\n`,
  "py/src/acme_util/__init__.py": "from .core import read_all\nfrom .core import Book as Book\n",
  "py/src/acme_util/core.py":
    "class Book:\n    def turn(self, x): ...\n\n\ndef read_all(path):\n    return Book()\n",
  "java/pom.xml": "<project><groupId>com.acme</groupId><artifactId>util</artifactId></project>",
  "java/src/main/java/com/acme/util/Loader.java":
    "package com.acme.util;\n\npublic class Loader {\n    public static String fetch(String path) { return path; }\n    public void keep(String x) {}\n}\n",
  "rs/Cargo.toml": `[package]\nname = "acme-util"\n`,
  "rs/src/lib.rs":
    "pub mod text;\npub struct Crate;\nimpl Crate {\n    pub fn ship(&self, x: &str) {}\n}\npub fn pack(path: &str) -> Crate { Crate }\n",
  "rs/src/text.rs": "pub fn shorten(s: &str) -> &str { s }\n",
};

/** Uses each of them. */
export const APP: Files = {
  "web/package.json": `{"name": "app", "dependencies": {"@acme/util": "^1.0.0"}}`,
  "web/src/main.ts":
    `import { load as read, Store } from "@acme/util";\nimport { trimTs } from "@acme/util/text";\nexport function main() {\n  const store = new Store();\n  store.saveTs(read("a"));\n  return trimTs("b");\n}\n`,
  "svc/go.mod": "module example.com/acme/app\n\nrequire example.com/acme/util v1.0.0\n",
  // `other.Put` is of a package that nobody here gives.
  "svc/main.go":
    `package main\n\nimport (\n\t"example.com/acme/util"\n\t"example.com/other"\n)\n\nfunc main() {\n\ts := util.Open("a")\n\ts.Put("b")\n\tother.Put("c")\n}\n`,
  "job/pyproject.toml": `[project]\nname = "job"\ndependencies = ["acme_util>=1"]\n`,
  "job/job.py":
    `from acme_util import read_all\n\n\ndef main():\n    book = read_all("a")\n    book.turn("b")\n`,
  "jvm/pom.xml":
    "<project><groupId>com.acme</groupId><artifactId>app</artifactId><dependencies><dependency><groupId>com.acme</groupId><artifactId>util</artifactId></dependency></dependencies></project>",
  "jvm/src/main/java/com/acme/app/Main.java":
    `package com.acme.app;\n\nimport com.acme.util.Loader;\n\npublic class Main {\n    void run() {\n        Loader.fetch("a");\n        Loader l = new Loader();\n        l.keep("b");\n    }\n}\n`,
  "bin/Cargo.toml": `[package]\nname = "app"\n\n[dependencies]\nacme-util = "1"\n`,
  "bin/src/main.rs":
    `use acme_util::pack;\nuse acme_util::text::shorten;\nfn main() {\n    let c = pack("a");\n    c.ship("b");\n    shorten("d");\n}\n`,
};

/** Has the same names, of its own or of packages that nobody here gives. */
export const DECOY: Files = {
  "web/package.json": `{"name": "decoy", "dependencies": {"other-util": "1"}}`,
  "web/src/a.ts": `import { load } from "other-util";\nexport const a = () => load("x");\n`,
  "web/src/b.ts":
    `export function load(path: string) { return path; }\nexport class Store { saveTs(x: string) {} }\nload("q");\nnew Store().saveTs("x");\n`,
  // Not declared: a package of this name from elsewhere.
  "web/src/c.ts": `import { trimTs } from "@acme/util/text";\ntrimTs("x");\n`,
  "svc/go.mod": "module example.com/decoy\n",
  "svc/main.go":
    `package main\n\ntype Shelf struct{}\n\nfunc (s *Shelf) Put(x string) {}\n\nfunc Open(path string) *Shelf { return &Shelf{} }\n\nfunc main() {\n\ts := Open("a")\n\ts.Put("b")\n}\n`,
  "job/requirements.txt": "requests\n",
  "job/job.py":
    `from acme_util import read_all\n\nread_all("x").turn("y")\n\n\ndef shorten(s):\n    return s\n`,
  "jvm/pom.xml": "<project><groupId>com.decoy</groupId><artifactId>util</artifactId></project>",
  "jvm/src/main/java/com/decoy/util/Loader.java":
    `package com.decoy.util;\n\npublic class Loader {\n    public static String fetch(String path) { return path; }\n    void x() { fetch("q"); }\n}\n`,
  "bin/Cargo.toml": `[package]\nname = "decoy"\n`,
  "bin/src/main.rs":
    `use acme_util::pack;\nfn main() { pack("a"); shorten("b"); }\nfn shorten(s: &str) -> &str { s }\n`,
};

/** Repositories in one temporary folder. */
export interface Yard extends AsyncDisposable {
  readonly dir: string;
  /** Absolute path of a repository. */
  root(name: string): string;
  /** Folder of the index of a repository. */
  indexFolder(root: string): string;
  write(name: string, files: Files): void;
  /** The workspace of a repository; closed with the yard. */
  open(name: string): Workspace;
  /** Builds the indexes of repositories. */
  build(...names: readonly string[]): Promise<void>;
}

/** Makes the repositories, without their indexes. */
export async function createYard(repositories: Readonly<Record<string, Files>>): Promise<Yard> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-yard-" }));
  const opened: Workspace[] = [];
  const root = (name: string) => join(dir, name);
  const indexFolder = (at: string) => join(dir, "state", basename(at), "code-intel");
  const openIndex = (at: string) => createIndex(at, indexFolder(at));
  const write = (name: string, files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      const full = join(root(name), path);
      Deno.mkdirSync(dirname(full), { recursive: true });
      Deno.writeTextFileSync(full, text);
    }
  };
  for (const [name, files] of Object.entries(repositories)) {
    write(name, files);
    await Deno.mkdir(join(root(name), ".git"));
  }
  return {
    dir,
    root,
    indexFolder,
    write,
    open: (name) => {
      const workspace = createWorkspace({
        projectRoot: root(name),
        stateDir: join(dir, "state"),
        home: null,
        toFolders: (at) => [indexFolder(at)],
        findRoot: (at) => Promise.resolve(at),
        openIndex,
        loadScales: () => Promise.resolve({ vector: 0, keyword: 1, definition: 1, reference: 1 }),
        onNotice: () => {},
        backends: createBackends({ env: { get: () => undefined } }),
        logger: SILENT_LOGGER,
        isBrief: true,
      });
      opened.push(workspace);
      return workspace;
    },
    build: async (...names) => {
      for (const name of names) {
        const index = openIndex(root(name));
        await index.sync();
        await index.close();
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const workspace of opened) await workspace.close();
      await giveUp(dir);
    },
  };
}

/** Repositories inside lie in `inner`, as git would list them. */
function createIndex(root: string, folder: string): CodeIndex {
  const settings = {
    sourceDirs: [],
    excludePatterns: [],
    chunkMaxTokens: 400,
    syncTtlHours: 24,
    maxChunks: 1000,
    meaningOf: "none",
  } as const;
  return createCodeIndex({
    projectRoot: root,
    folder,
    listFiles: async () => {
      const files = await walkFiles(root);
      const own = files.filter((path) => !path.startsWith("inner/"));
      return own.length === files.length ? own : [...own, "inner"];
    },
    loadSettings: () => Promise.resolve(settings),
    analyser: OWN_THREAD,
  });
}
