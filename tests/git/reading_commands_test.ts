/** Which git commands end with the process that asked. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { chooseDiffSettings, findCommandName, isReading } from "../../src/git/git_settings.ts";

Deno.test("isReading() is true of what only reads, and of nothing that writes an index, a ref or a file", () => {
  const rows: readonly (readonly [command: string, reads: boolean])[] = [
    ["--literal-pathspecs ls-files -z --others", true],
    ["diff-index --cached HEAD --", true],
    ["config -z --name-only --get-regexp ^hook", true],
    ["config --type=bool --get commit.gpgSign", true],
    ["worktree list --porcelain", true],
    ["merge-tree --write-tree a b", true],
    ["merge-file -p -q -- a b c", true],
    ["merge-file a b c", false],
    ["worktree add x", false],
    ["config user.name me", false],
    ["update-index -z --add --stdin", false],
    ["update-ref --stdin", false],
    ["read-tree -m -u a b", false],
    ["write-tree", false],
    ["commit-tree x", false],
    ["hash-object -w --stdin", false],
    ["reset -q --pathspec-from-file=-", false],
    ["add --all", false],
    ["hook run pre-commit", false],
    ["symbolic-ref HEAD refs/heads/x", false],
  ];
  deepEqual(rows.map(([command]) => [command, isReading(command.split(" "))]), rows);
});

Deno.test("findCommandName() is the command, not the option before it", () => {
  deepEqual(findCommandName(["--literal-pathspecs", "ls-files", "-z"]), "ls-files");
  deepEqual(findCommandName(["-c", "diff.x=y", "-C", "folder", "--git-dir=.", "log", "-c"]), "log");
  deepEqual(findCommandName(["--git-dir", "place", "update-ref", "x"]), "update-ref");
});

Deno.test("chooseDiffSettings() has large files compared as a whole, and leaves what writes as it is", () => {
  const large = ["-c", "core.bigFileThreshold=16m"];
  deepEqual(chooseDiffSettings(["--literal-pathspecs", "diff-tree", "-p", "a", "b"]), large);
  deepEqual(chooseDiffSettings(["log", "-p"]), large);
  deepEqual(chooseDiffSettings(["update-index", "--add"]), []);
});
