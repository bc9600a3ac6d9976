/** Which texts the words of a command name. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ScriptRef } from "../../../src/evidence/runs/script_refs.ts";
import { findScriptRefs, findShellRefs } from "../../../src/evidence/runs/script_refs.ts";

/** `kind files#name`, short enough for a table. */
function toShort({ kind, files, name }: ScriptRef): string {
  const short = { npm_script: "npm", deno_task: "deno", composer_script: "composer" } as const;
  const word = kind in short ? short[kind as keyof typeof short] : kind;
  return `${word} ${files.join("|")}${name === "" ? "" : `#${name}`}`;
}

const MAKEFILES = "GNUmakefile|makefile|Makefile";

const ROWS: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["npm test", ["npm package.json#test"]],
  ["npm t", ["npm package.json#test"]],
  ["npm run lint", ["npm package.json#lint"]],
  ["npm run -s lint -- --fix", ["npm package.json#lint"]],
  ["npm --prefix web run build", ["npm web/package.json#build"]],
  ["npm ci", []],
  ["npm.cmd test", ["npm package.json#test"]],
  ["yarn lint", ["npm package.json#lint"]],
  ["yarn run lint", ["npm package.json#lint"]],
  ["yarn --cwd web test", ["npm web/package.json#test"]],
  ["pnpm -C web test", ["npm web/package.json#test"]],
  ["bun test", []],
  ["bun run build", ["npm package.json#build", "file build"]],
  ["npx tsx scripts/check.ts", ["file scripts/check.ts"]],
  ["npx eslint .", []],
  ["deno task ok", ["deno deno.json|deno.jsonc#ok", "npm package.json#ok"]],
  ["deno task -c conf/deno.json ok", ["deno conf/deno.json#ok", "npm package.json#ok"]],
  ["deno task --cwd sub ok", ["deno sub/deno.json|sub/deno.jsonc#ok", "npm sub/package.json#ok"]],
  ["deno test -A tests/a_test.ts", []],
  ["deno run -A tools/check.ts --fast", ["file tools/check.ts"]],
  ["deno run npm:eslint", []],
  ["composer test", ["composer composer.json#test"]],
  ["composer run-script -d api test", ["composer api/composer.json#test"]],
  ["make", [`make_target ${MAKEFILES}`]],
  ["make lint test CI=1", [`make_target ${MAKEFILES}#lint`, `make_target ${MAKEFILES}#test`]],
  ["make -C api -f build.mk test", ["make_target api/build.mk#test"]],
  ["just check", ["file justfile|Justfile|.justfile"]],
  ["./scripts/verify.sh --all", ["file scripts/verify.sh"]],
  ["scripts/verify.sh", ["file scripts/verify.sh"]],
  ["/usr/local/bin/check", []],
  ["../outside.sh", []],
  ["sh scripts/verify.sh", ["file scripts/verify.sh"]],
  ["bash -e scripts/verify.sh", ["file scripts/verify.sh"]],
  ["node scripts/check.js", ["file scripts/check.js"]],
  ["node --test", []],
  ["node -e process.exit(0)", []],
  ["node node_modules/jest/bin/jest.js", []],
  ["node_modules/.bin/jest", []],
  ["vendor/bin/phpunit", []],
  ["python -m pytest", []],
  ["python3 tools/check.py", ["file tools/check.py"]],
  ["uv run tools/check.py", ["file tools/check.py"]],
  ["poetry run python tools/check.py", ["file tools/check.py"]],
  ["env CI=1 npm test", ["npm package.json#test"]],
  ["CI=1 npm test", ["npm package.json#test"]],
  // Words that only start another program hide nothing of it.
  ...[
    ...["time", "nice", "nohup", "exec", "command", "time nice -n", "env CI=1 nohup"],
    ...[
      "npx",
      "bunx",
      "cross-env CI=1",
      "dotenv",
      "xvfb-run",
      "npm exec",
      "pnpm exec",
      "yarn exec",
    ],
    ...["uv run", "poetry run", "pipenv run", "bundle exec"],
  ].map((before) => [`${before} npm test`, ["npm package.json#test"]] as const),
  ["bundle exec ruby bin/check.rb", ["file bin/check.rb"]],
  ["cargo test", []],
  ["go test ./...", []],
  ["./gradlew test", ["file gradlew"]],
  ["toString test", []],
  ["constructor", []],
  ["", []],
];

Deno.test("findScriptRefs() finds what the words of a command name", () => {
  for (const [line, expected] of ROWS) {
    deepEqual(findScriptRefs(line.split(" ")).map(toShort), expected, line);
  }
});

Deno.test("findScriptRefs() follows the text of a shell and paths from a folder", () => {
  deepEqual(findScriptRefs(["sh", "-ec", "npm test && ./x.sh"]).map(toShort), [
    "npm package.json#test",
    "file x.sh",
  ]);
  deepEqual(findScriptRefs(["./x.sh"], "web").map(toShort), ["file web/x.sh"]);
});

Deno.test("findShellRefs() takes commands apart and follows cd", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["npm run a; npm run b", ["npm package.json#a", "npm package.json#b"]],
    ["npm run a || (make b | tee log)", ["npm package.json#a", `make_target ${MAKEFILES}#b`]],
    ["cd web && npm test", ["npm web/package.json#test"]],
    ["cd web\ncd ../api\nmake -f m test", ["make_target api/m#test"]],
    ["echo 'npm test'", []],
    [". ./lib.sh\nsource env.sh", ["file lib.sh", "file env.sh"]],
    ["npm run \\\n  lint", ["npm package.json#lint"]],
  ];
  for (const [text, expected] of rows) {
    deepEqual(findShellRefs(text).map(toShort), expected, text);
  }
});
