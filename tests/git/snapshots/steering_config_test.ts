/** Which lines of git's settings are notes of tools, and that nothing else is taken for one. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keepSteeringLines } from "../../../src/git/snapshots/guarded_files.ts";

const CORE = "[core]\n\tbare = false\n";

/** Texts after a plain `[core]`, that say nothing that steers. */
const NOTES = [
  '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
  '[branch "a"]\n\tvscode-merge-base = origin/main\n',
  '[remote "origin"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
  '\n[remote "origin"]\n\tgh-resolved = base\r\n',
  '[submodule "lib"]\n\tactive = true\n\turl = ../lib\n',
  '[lfs "https://example.org/info/lfs"]\n\taccess = basic\n',
  "[gc]\n\tauto = 0\n",
];

/** Texts after a plain `[core]` that steer, or that may. */
const STEERING = [
  "\thooksPath = tools\n",
  '[filter "x"]\n\tclean = cat\n',
  '[branch "a"]\n\tvscode-merge-base = origin/main\n[core]\n\thooksPath = tools\n',
  '[branch "a"] [core]\n\thooksPath = tools\n',
  '[branch "a"][core] hooksPath = tools\n',
  '\tx = a\\\n[branch "a"]\n\tremote = b\n',
  '[branch "a"]\n\tremote = b\\\n\tc\n',
  '[remote "origin"]\n\tuploadpack = ./run\n',
  '[remote "origin"]\n\tproxy = x\n',
  '[submodule "lib"]\n\tupdate = !run\n',
  "[include]\n\tpath = other\n",
  '[branch "a\\"]\n\tremote = b\n',
  "[user]\n\tname = x\n",
];

Deno.test("keepSteeringLines() leaves out notes about branches and remotes", () => {
  deepEqual(NOTES.filter((text) => keepSteeringLines(CORE + text) !== keepSteeringLines(CORE)), []);
});

Deno.test("keepSteeringLines() keeps what steers, and what it cannot read for certain", () => {
  deepEqual(
    STEERING.filter((text) => keepSteeringLines(CORE + text) === keepSteeringLines(CORE)),
    [],
  );
  const hidden = '[branch "a"]\n\tremote = b\n[core]\n\tfsmonitor = x\n';
  equal(keepSteeringLines(hidden), "[core]\nfsmonitor = x");
});
