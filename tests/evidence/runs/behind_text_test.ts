/** What of a file stands behind a command, and what it leads to. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { BehindRef } from "../../../src/evidence/runs/behind_refs.ts";
import { followBehind } from "../../../src/evidence/runs/behind_text.ts";

function follow(kind: BehindRef["kind"], name: string, text: string, path = "file") {
  const found = followBehind({ kind, files: [path], name }, path, text);
  return {
    text: found.text,
    next: found.next.map((ref) => `${ref.kind} ${ref.files[0]}#${ref.name}`),
  };
}

Deno.test("followBehind() takes a script of package.json, its hooks and what it runs", () => {
  const text = JSON.stringify({
    name: "x",
    scripts: {
      pretest: "rm -rf out",
      test: "npm run lint && run-s 'build:*' && node tools/run.js",
      lint: "eslint .",
      "build:a": "a",
      "build:b": "b",
      other: "nothing of it",
    },
  });
  deepEqual(follow("npm_script", "test", text, "web/package.json"), {
    text: "npm run lint && run-s 'build:*' && node tools/run.js",
    next: [
      "npm_script web/package.json#pretest",
      "npm_script web/package.json#lint",
      "npm_script web/package.json#build:a",
      "npm_script web/package.json#build:b",
      "npm_script web/package.json#lint",
      "file web/tools/run.js#",
    ],
  });
  deepEqual(follow("npm_script", "toString", text), { text: null, next: [] });
  deepEqual(follow("npm_script", "test", "{broken"), { text: "{broken", next: [] });
  deepEqual(follow("npm_script", "test", "{}"), { text: null, next: [] });
});

Deno.test("followBehind() takes a task of deno.jsonc with its dependencies", () => {
  const text = `{ // comment
    "tasks": {
      "ok": { "command": "deno task test", "dependencies": ["lint"] },
      "test": "deno test", "lint": "deno lint", },
  }`;
  deepEqual(follow("deno_task", "ok", text, "deno.jsonc"), {
    text: '{"command":"deno task test","dependencies":["lint"]}',
    next: [
      "deno_task deno.jsonc#test",
      "deno_task deno.jsonc#lint",
      "deno_task deno.json#test",
      "npm_script package.json#test",
    ],
  });
});

Deno.test("followBehind() takes a list of composer with the scripts that it names by @", () => {
  const text = '{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpcs"}}';
  deepEqual(follow("composer_script", "test", text, "composer.json"), {
    text: '["@lint","phpunit"]',
    next: ["composer_script composer.json#lint"],
  });
});

const MAKEFILE = `# Comment
include common.mk
RUN = npm run
.PHONY: test lint other

test: build | dirs
\t@$(RUN) test
ifdef CI
\t./ci.sh
endif

build: src/a.c
\tcc a.c

%.o: %.c
\tcc $<

dirs:
\tmkdir -p out

other:
\techo other
`;

Deno.test("followBehind() takes a target with what it needs, and the lines of no target", () => {
  const { text, next } = follow("make_target", "test", MAKEFILE, "api/Makefile");
  equal(
    text,
    [
      "include common.mk",
      "RUN = npm run",
      "ifdef CI",
      "endif",
      ".PHONY: test lint other",
      "test: build | dirs",
      "\t@$(RUN) test",
      "\t./ci.sh",
      "build: src/a.c",
      "\tcc a.c",
      "dirs:",
      "\tmkdir -p out",
    ].join("\n"),
  );
  deepEqual(next, ["file api/common.mk#", "npm_script api/package.json#test", "file api/ci.sh#"]);
});

Deno.test("followBehind() takes the first target where none is named, and none for a wrong name", () => {
  equal(follow("make_target", "", MAKEFILE).text?.includes("cc a.c"), true);
  equal(follow("make_target", "", MAKEFILE).text?.includes("echo other"), false);
  equal(follow("make_target", "missing", MAKEFILE).text, null);
  equal(follow("make_target", "x.o", MAKEFILE).text?.includes("cc $<"), true);
});

Deno.test("followBehind() follows a shell script, and takes any other file as it is", () => {
  deepEqual(follow("file", "", "set -e\nnode a.js\n", "x.sh"), {
    text: "set -e\nnode a.js\n",
    next: ["file a.js#"],
  });
  deepEqual(follow("file", "", "#!/usr/bin/env bash\nmake", "run").next, [
    "make_target GNUmakefile#",
  ]);
  deepEqual(follow("file", "", "node a.js", "x.py").next, []);
});
