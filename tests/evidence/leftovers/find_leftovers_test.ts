/** Lines that a session left behind, in many languages, beside lines that look so and are honest work. */
import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  strictEqual as equal,
} from "node:assert/strict";
import { findLeftovers } from "../../../src/evidence/leftovers/find_leftovers.ts";
import type { AddedText } from "../../../src/evidence/leftovers/find_leftovers.ts";

function toFile(path: string, after: string, before: string | null = ""): AddedText {
  return { path, before, after, ranges: [{ start: 1, end: after.split("\n").length }] };
}

async function kinds(
  path: string,
  after: string,
  before: string | null = "",
): Promise<readonly string[]> {
  return (await findLeftovers([toFile(path, after, before)])).map(({ id }) =>
    id.split(" ")[0] ?? ""
  );
}

/** One line each. */
const LEFT: readonly (readonly [kind: string, path: string, line: string])[] = [
  ["debug_output", "src/a.ts", "console.log(name, password);"],
  ["debug_output", "src/a.ts", 'console.debug("x");'],
  ["debug_output", "src/a.js", "  debugger;"],
  ["debug_output", "src/a.py", 'print("DEBUG", name)'],
  ["debug_output", "src/a.py", "    breakpoint()"],
  ["debug_output", "src/a.py", "import pdb; pdb.set_trace()"],
  ["debug_output", "src/a.go", '\tfmt.Println("here", x)'],
  ["debug_output", "src/a.rs", '    println!("{:?}", x);'],
  ["debug_output", "src/a.rs", "    let y = dbg!(x);"],
  ["debug_output", "src/a.php", "var_dump($user);"],
  ["debug_output", "src/a.php", "dd($user);"],
  ["debug_output", "lib/a.rb", "  binding.pry"],
  ["debug_output", "lib/a.rb", "  byebug"],
  ["debug_output", "lib/a.rb", "  puts user.inspect"],
  ["debug_output", "src/A.java", '    System.out.println("x=" + x);'],
  ["debug_output", "src/A.kt", '    println("x=$x")'],
  ["debug_output", "src/A.cs", "    Console.WriteLine(x);"],
  ["debug_output", "src/a.c", '    printf("%d", x);'],
  ["debug_output", "src/a.cpp", "    std::cout << x;"],
  ["debug_output", "lib/a.ex", "    IO.inspect(x)"],
  ["debug_output", "src/a.swift", "    print(x)"],
  ["debug_output", "src/a.dart", "void f() { print(x); }"],
  ["debug_output", "src/a.py", '    sys.stderr.write("DEBUG %s" % password)'],
  ["debug_output", "src/a.py", '    logging.warning("DEBUG HERE %s", name)'],
  ["debug_output", "src/a.js", 'console.error("DEBUG", name);'],
  ["debug_output", "src/a.js", "process.stderr.write(apiKey);"],
  ["debug_output", "src/a.go", '\tfmt.Fprintln(os.Stderr, "x", password)'],
  ["debug_output", "deploy.sh", 'echo "DEBUG $PASSWORD"'],
  ["debug_output", "src/a.sh", "set -x"],
  ["debug_output", "src/a.sh", "  set -xv # look"],
  ["debug_output", "src/a.sh", "set -o xtrace; build"],
  ["debug_output", "src/a.zsh", "setopt xtrace"],
  ["debug_output", "src/a.sh", "echo $API_KEY"],
  ["debug_output", "src/a.sh", 'printf "%s\\n" "${DB_PASSWORD}"'],
  ["open_mark", "src/a.ts", "// TODO remove"],
  ["open_mark", "src/a.py", "x = 1  # FIXME: later"],
  ["open_mark", "src/a.go", "// XXX"],
  ["open_mark", "src/a.rs", "/* HACK (anna): remove */"],
  ["open_mark", "src/a.sql", "-- TODO index"],
  ["open_mark", "src/a.ts", "// x = send(user); // TODO"],
  ["commented_out", "src/a.ts", "// const x = f(1);"],
  ["commented_out", "src/a.py", "# self.check(a, b < 3)"],
  ["commented_out", "src/a.go", "// defer body.Close()"],
  ["commented_out", "src/a.ts", "// type Names = readonly string[];"],
  ["commented_out", "src/a.pl", "# $status = $file->read($buffer);"],
  ["commented_out", "src/a.ts", "// if (a) {"],
  ["commented_out", "src/a.ts", "// return check(a);"],
  ["commented_out", "src/a.ts", "/* send(user); */"],
  ["commented_out", "src/a.py", "# import os"],
  ["commented_out", "src/a.py", "# x = f(a)"],
  ["commented_out", "src/a.py", "# def old(a):"],
  ["commented_out", "src/a.py", "# return a + 1"],
  ["commented_out", "src/a.go", "// x := f(1)"],
  ["commented_out", "src/a.rs", "// let x = f(1);"],
  ["commented_out", "lib/a.rb", "# user.save(validate: false)"],
  ["commented_out", "src/A.java", "// private int x = 1;"],
  ["commented_out", "src/a.php", "// $this->send($user);"],
  ["commented_out", "src/a.lua", "-- local x = f(1)"],
  ["commented_out", "src/a.css", "/* color: red; */"],
  ["commented_out", "src/a.css", "/* .a { margin: 0.5em } */"],
  ["commented_out", "src/a.scss", "// padding: 4px;"],
  ["commented_out", "src/a.html", "<!-- <p>old</p> -->"],
  ["commented_out", "src/a.sql", "-- SELECT name FROM users WHERE id = 1"],
  ["commented_out", "src/a.sql", "-- drop table users;"],
  ["commented_out", "src/a.sql", "-- AND state = 'open'"],
  ["commented_out", "src/a.sh", "# NAME=$1"],
  ["commented_out", "src/a.sh", '# rm -rf "$OLD" || exit 1'],
  ["commented_out", "src/a.sh", "# if [ -f a ]; then"],
  ["secret", "src/a.ts", 'const apiKey = "s3cr3t-Value-9";'],
  ["secret", "src/a.py", 'PASSWORD = "hunter2hunter2"'],
  ["secret", "config.yml", 'client_secret: "9f8a7b6c5d4e"'],
  ["secret", "deploy.sh", "export API_KEY=9f8a7c6d5e4b3a2918"],
  ["secret", "config/app.yml", "password: Tr0ub4dor9Xq71"],
  ["secret", "settings.ini", "api_key = 9f8a7c6d5e4b"],
  ["secret", "app.properties", "db.password=Tr0ub4dor9Xq71"],
  ["secret", "Dockerfile", "ENV API_KEY 9f8a7c6d5e4b"],
  ["secret", "README.md", `The token is ghp_${"a1".repeat(18)}`],
  ["secret", "src/a.go", `key := "AKIA${"ABCD".repeat(4)}"`],
  ["secret", "deploy.txt", "-----BEGIN RSA PRIVATE KEY-----"],
  ["secret", "src/a.ts", 'const url = "postgres://anna:pa55word@db.internal/a";'],
  ["conflict_marker", "src/a.ts", "<<<<<<< HEAD"],
  ["conflict_marker", "notes.txt", ">>>>>>> main"],
];

Deno.test("findLeftovers() finds what was left behind, in many languages", async () => {
  for (const [kind, path, line] of LEFT) {
    deepEqual(await kinds(path, line), [kind], `${path}: ${line}`);
  }
});

Deno.test("findLeftovers() finds a line of any language that stood there as code", async () => {
  const rows = [
    ["a.yml", "# retries: 3", "retries: 3"],
    ["a.toml", "# port = 80", "port = 80"],
    ["a.css", "/* @media print { */", "@media print {"],
    ["a.sh", "# docker compose up", "docker compose up"],
    ["a.vue", "<!-- <Old -->", "<Old"],
    ["Makefile", "# build: clean", "build: clean"],
  ] as const;
  for (const [path, now, before] of rows) {
    deepEqual(await kinds(path, now, before), ["commented_out"], now);
    deepEqual(await kinds(path, `# The beginning.`, before), [], path);
  }
});

const HONEST: readonly (readonly [path: string, text: string, before?: string])[] = [
  ["src/a.ts", "export const debug = false;"],
  ["src/a.ts", "const help = 'console.log(password)';"],
  ["src/a.py", 'raise TypeError("invalid arguments to print()")'],
  ["src/a.py", "# macOS (darwin kernel)"],
  ["src/a.ts", "//#endregion"],
  ["src/a.ts", 'const label = "TODO";'],
  ["src/a.ts", "// Lists the TODO items of a person."],
  ["src/a.ts", "/** Gives `login()` its name. */"],
  ["src/a.ts", "// The name; blanks are part of it."],
  ["src/a.ts", "// See find(a) for how it is used."],
  ["src/a.ts", "// eslint-disable-next-line no-console"],
  ["src/a.ts", "// @ts-expect-error the types are wrong"],
  ["src/a.ts", "/**\n * const x = f(1);\n */"],
  ["src/a.ts", "logger.debug({ name });"],
  ["src/a.ts", 'console.error("cannot read");'],
  ["src/a.ts", "const token = await readToken();"],
  ["src/a.ts", 'const password = "password";'],
  ["src/a.ts", 'const apiKey = process.env["API_KEY"];'],
  ["src/a.js", 'console.error("password is missing");'],
  ["src/a.py", 'logger.info("nothing to see here")'],
  ["deploy.sh", 'echo "$PASSWORD" | docker login --password-stdin'],
  ["deploy.sh", 'export API_KEY="$(cat key)"'],
  ["deploy.sh", "API_KEY=${API_KEY:-}"],
  ["k8s.yml", "secret: app-credentials"],
  ["k8s.yml", "password: required"],
  ["src/a.py", "password = read_password2019x2()"],
  ["src/a.py", "# A list of what is left."],
  ["src/a.py", "# type: ignore[attr]"],
  ["src/a.py", 'password = os.environ["PASSWORD"]'],
  ["src/a.py", 'print("done")', 'print("begin")\n'],
  ["src/print_report.py", "def print_report(rows):\n    write(rows)"],
  ["cli/main.py", 'print("3 files")'],
  ["bin/run.js", 'console.log("3 files");'],
  ["scripts/a.rb", 'puts "3 files"'],
  ["src/a.sh", 'echo "3 files"'],
  ["src/a.sh", "#!/bin/sh\n# Builds it all."],
  ["src/a.css", "/* Header */"],
  ["src/a.css", "/* Layout: two columns, see below */"],
  ["src/a.css", "/* stylelint-disable-next-line */"],
  ["src/a.scss", "// Colors of the page"],
  ["src/a.html", "<!-- Navigation -->"],
  ["src/a.sql", "-- Select the users of a team."],
  ["src/a.sql", "-- Add an index, as the table is large"],
  ["src/a.sql", "-- PRIMARY KEYS"],
  ["src/a.sh", "# Usage: build.sh [options] FILE"],
  ["src/a.sh", "# shellcheck disable=SC2086\necho $a"],
  ["src/a.sh", "# make the folder\nmake all"],
  ["src/a.sh", "# Uses $HOME as the root of all."],
  ["src/a.go", "//go:build linux"],
  ["src/a.rs", "/// Calls `f(1);`"],
  ["src/a.rs", "#[derive(Debug)]"],
  ["src/a.c", "#include <stdio.h>\n#define DEBUG 0"],
  ["docs/a.md", "TODO lists are kept here. `console.log(x)` prints."],
  ["README.md", "## TODO\n\n- print(x)"],
  ["a.yaml", "# key: value\nname: a"],
  ["tests/fixtures/keys.json", '{ "api_key": "abcd1234efgh" }'],
  ["tests/a.test.ts", 'const password = "s3cret-Pa55";'],
  ["src/a.ts", 'const key = "AKIAIOSFODNN7EXAMPLE";'],
  ["src/a.ts", "  console.log(x);", "if (a) {\nconsole.log(x);\n}\n"],
  ["src/a.ts", "// TODO remove", "  // TODO remove\n"],
  ["src/dd.php", "<?php\nfunction add($a) { return $a; }"],
];

/** Programs that print: the beginning of each, a line that is its work, and one that is left behind all the same. */
const PRINTERS: readonly (readonly [path: string, begin: string, work: string, left: string])[] = [
  [
    "src/main.c",
    "int main(int argc, char **argv) {",
    '  printf("=== Report: %d ===", n);',
    '  printf("%s", password);',
  ],
  ["src/main.cpp", "int main() {", '  std::cout << "type here";', "  std::cout << api_key;"],
  ["report_cli.py", "import os", 'print(f"{rows} rows")', "print(DEBUG)"],
  ["src/report.py", "import argparse", "print(rows)", 'print("DEBUG", rows)'],
  ["src/report.py", "def main():", "    print(rows)", "    print(password)"],
  [
    "main.go",
    "package main\n\nfunc main() {",
    '\tfmt.Println("Done")',
    '\tfmt.Println("DEBUG", x)',
  ],
  ["src/app.rs", "fn main() {", '    println!("{} rows", n);', '    println!("{}", secret);'],
  [
    "src/Report.java",
    "  public static void main(String[] args) {",
    "    System.out.println(rows);",
    "    System.out.println(password);",
  ],
  ["src/Report.kt", "fun main() {", "    println(rows)", "    println(apiKey)"],
  [
    "src/Report.cs",
    "  static void Main(string[] args) {",
    "    Console.WriteLine(rows);",
    "    Console.WriteLine(password);",
  ],
  ["lib/report.rb", "ARGV.each do |name|", "  puts name", "  puts password"],
  [
    "src/report.js",
    "const [, , name] = process.argv;",
    "console.log(name);",
    "console.log(name, password);",
  ],
  ["src/report.ts", "if (import.meta.main) {", "console.log(name);", "console.debug(name);"],
  [
    "web/index.php",
    "<?php $rows = load(); ?>\n<h1>Rows</h1>\n<?php",
    '  echo "$rows";',
    '  echo "$password";',
  ],
  ["web/count.php", "<?php\n$rows = load();", "echo count($rows);", "var_dump($rows);"],
  ["src/build.sh", "#!/bin/sh", 'echo "Set PASSWORD before $0"', 'echo "DEBUG: $0"'],
  ["src/build.sh", "#!/bin/sh", "set -eux", "set -x"],
  ["src/build.sh", 'if [ -n "$TRACE" ]; then', "  set -x", '  echo "$SECRET"'],
];

Deno.test("findLeftovers() asks nothing of a program that is there to print, save what nobody should see", async () => {
  for (const [path, begin, work, left] of PRINTERS) {
    deepEqual(await kinds(path, `${begin}\n${work}`), [], `${path}: ${work}`);
    deepEqual(
      await kinds(path, `${begin}\n${left}`.replace(/^if .*\n/, "")),
      ["debug_output"],
      `${path}: ${left}`,
    );
  }
});

Deno.test("findLeftovers() leaves honest work alone: programs that print, documents, fixtures, what moved", async () => {
  for (const [path, text, before] of HONEST) {
    deepEqual(await kinds(path, text, before), [], `${path}: ${text}`);
  }
});

Deno.test("findLeftovers() finds a line again that is copied, in its own file and in another", async () => {
  const line = 'print("DEBUG", password)';
  deepEqual(await kinds("src/a.py", `${line}\n${line}`, line), ["debug_output", "debug_output"]);
  const copied = await findLeftovers([
    { path: "src/a.py", before: line, after: line, ranges: [] },
    toFile("src/b.py", line),
  ]);
  deepEqual(copied.map(({ id }) => id), ["debug_output src/b.py:1"]);
});

Deno.test("findLeftovers() takes new files by their names, and none that was there", async () => {
  for (
    const path of ["a.ts.orig", "debug.txt", "src/x.rej", ".env", "nohup.out", "key.pem", "a~"]
  ) {
    deepEqual(await kinds(path, "text", null), ["stray_file"], path);
    deepEqual(await kinds(path, "text", "x"), [], path);
  }
  for (
    const path of ["src/log.ts", "docs/debugging.md", "tests/fixtures/a.log", "src/debugger.ts"]
  ) {
    deepEqual(await kinds(path, "text", null), [], path);
  }
});

Deno.test("findLeftovers() shows the line, but no secret", async () => {
  const [printed, ...none] = await findLeftovers([
    toFile("src/a.py", 'def f(name):\n    print("DEBUG", name)'),
  ]);
  deepEqual([printed?.id, printed?.hunk, none], [
    "debug_output src/a.py:2",
    '1: def f(name):\n2:     print("DEBUG", name)',
    [],
  ]);
  const [secret] = await findLeftovers([toFile("src/a.py", 'PASSWORD = "hunter2hunter2"')]);
  match(secret?.hunk ?? "", /1: PASSWORD = "…"/);
  doesNotMatch(JSON.stringify(secret), /hunter2/);
});

Deno.test("findLeftovers() asks about many of a kind together", async () => {
  const lines = Array.from({ length: 9 }, (_, at) => `fmt.Println(${at})`).join("\n");
  const [all, ...none] = await findLeftovers([toFile("src/a.go", lines)]);
  deepEqual([all?.id, all?.what, none], [
    "debug_output src/a.go",
    "output for debugging in 9 places",
    [],
  ]);
  match(all?.hunk ?? "", /^1: fmt[^]*and 4 more$/);
  const files = Array.from(
    { length: 60 },
    (_, at) => toFile(`vendor/${at}.ts`, "// TODO x\ndebugger;"),
  );
  const many = await findLeftovers(files);
  deepEqual(many.map(({ id }) => id), ["open_mark in 60 files", "debug_output in 60 files"]);
  equal(many[0]?.path, "");
});
