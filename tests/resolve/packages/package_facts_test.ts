/** What manifests say of packages, a row each. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { isManifest, readPackageFacts } from "../../../src/resolve/packages/package_facts.ts";

/** A manifest, what it gives, and what it uses: `name`, `alias=name`, `name@folder`. */
type Row = readonly [path: string, text: string, given: readonly string[], used: readonly string[]];

const ROWS: readonly Row[] = [
  [
    "web/package.json",
    `{"name": "@a/b", "dependencies": {"x": "1", "y": "npm:@z/y@2"}, "devDependencies": {"l": "file:../l"}}`,
    ["@a/b"],
    ["x", "y=@z/y", "l@l"],
  ],
  ["package.json", "{ not json", [], []],
  ["deno.json", `{"imports": {"u": "npm:@a/u@^1", "p/": "npm:p@1/", "s": "./s.ts"}}`, [], [
    "u=@a/u",
    "p",
  ]],
  [
    "go.mod",
    `module e.com/own // comment\n\nrequire e.com/one v1.0.0\nrequire (\n\te.com/two v1.0.0\n\te.com/three/v2 v2.1.0 // indirect\n)\nreplace e.com/two => ../two\nreplace e.com/one v1.0.0 => e.com/fork v1.1.0\n`,
    ["e.com/own"],
    ["e.com/one=e.com/fork", "e.com/two@../two", "e.com/three/v2"],
  ],
  [
    "crates/a/Cargo.toml",
    `[package]\nname = "a-b"\nversion = "1"\n\n[dependencies]\nserde = "1"\nut = { package = "acme-util", path = "../util" }\n\n[dev-dependencies.probe]\nversion = "1"\n\n[lib]\nname = "x"\n`,
    ["a-b"],
    ["serde", "ut=acme-util@crates/util", "probe"],
  ],
  [
    "pyproject.toml",
    `[project]\nname = "Own_Name"\ndependencies = [\n  "acme_util[extra]>=1", # why "not-this"\n  'other.name',\n]\n\n[tool.poetry.dependencies]\npython = "^3"\ngroup-dep = "^1"\n`,
    ["own-name"],
    ["acme-util", "other-name", "python", "group-dep"],
  ],
  [
    "setup.cfg",
    "[metadata]\nname = own\n\n[options]\ninstall_requires =\n    acme-util>=1\n    flask\n",
    ["own"],
    ["install-requires", "acme-util", "flask"],
  ],
  ["requirements-dev.txt", "# c\nFlask==1\n-e ./x\nacme_util ; python_version > '3'\n", [], [
    "flask",
    "acme-util",
  ]],
  [
    "pom.xml",
    "<project><!-- <artifactId>no</artifactId> --><parent><groupId>com.a</groupId><artifactId>parent</artifactId></parent><artifactId>own</artifactId><dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>util</artifactId></dependency><dependency><groupId>org.x</groupId><artifactId>y</artifactId></dependency></dependencies></project>",
    ["com.a:own"],
    ["com.a:util", "org.x:y"],
  ],
  [
    "build.gradle.kts",
    `group = "com.a"\n// implementation("no:no:1")\ndependencies { implementation("com.b:util:1.0"); testImplementation(group = "org.x", name = "y") }\n`,
    [],
    ["com.b:util", "org.x:y"],
  ],
  ["libs.versions.toml", `[libraries]\nutil = { module = "com.b:util", version = "1" }\n`, [], [
    "com.b:util",
  ]],
];

Deno.test("readPackageFacts() reads what each kind of manifest gives and uses", () => {
  for (const [path, text, given, used] of ROWS) {
    const facts = readPackageFacts(new Map([[path, text]]), []);
    deepEqual(
      [
        facts.given.map(({ name }) => name),
        facts.used.map(({ alias, name, local }) =>
          `${alias === name ? name : `${alias}=${name}`}${local === undefined ? "" : `@${local}`}`
        ),
      ],
      [given, used],
      path,
    );
  }
});

Deno.test("readPackageFacts() names artifacts of Gradle by group and folder, and modules of a distribution by its files", () => {
  const gradle = new Map([
    ["settings.gradle", "rootProject.name = 'top'\n"],
    ["build.gradle", "group = 'com.a'\n"],
    ["core/build.gradle", "plugins { id 'java' }\ntasks { t {\n  group = SomePlugin.GROUP\n} }\n"],
    ["other/build.gradle", ""],
    ["other/gradle.properties", "GROUP=com.b\n"],
  ]);
  deepEqual(
    readPackageFacts(gradle, []).given.map(({ name, folder }) => [name, folder]),
    [["com.a:top", "."], ["com.a:core", "core"], ["com.b:other", "other"]],
  );
  const python = new Map([["pkg/pyproject.toml", `[project]\nname = "acme"\n`]]);
  const files = [
    "pkg/src/acme/core/__init__.py",
    "pkg/src/acme/core/deep/__init__.py",
    "pkg/single.py",
    "pkg/setup.py",
    "pkg/tests/__init__.py",
    "elsewhere/__init__.py",
  ];
  deepEqual(readPackageFacts(python, files).given[0]?.imports, ["acme.core", "single"]);
});

Deno.test("isManifest() passes over manifests of samples and of packages that are vendored", () => {
  const paths = ["a/pom.xml", "go.mod", "vendor/x/go.mod", "tests/fixtures/package.json"];
  deepEqual(paths.filter(isManifest), ["a/pom.xml", "go.mod"]);
});
