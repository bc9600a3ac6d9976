/** Which shell commands are refused during a session, and which pass. */
import { strictEqual as equal } from "node:assert/strict";
import { judgeShell } from "../../src/hooks/shell_guard.ts";

const PLACE = { cwd: "/work/app/src", root: "/work/app" };

Deno.test("judgeShell() refuses git that moves branches and the person's commands", () => {
  const rows: readonly (readonly [line: string, refused: string])[] = [
    ["git commit -m 'x'", "git commit"],
    ["git -c user.name=a commit -m x", "git commit"],
    ["git -C /work/app push", "git push"],
    ["cd / && git --work-tree /work/app commit", "git commit"],
    ["cd / && git --work-tree=/work/app --no-pager commit", "git commit"],
    ["cd /work/app && git merge main", "git merge"],
    ["npm test; git rebase main", "git rebase"],
    ["false || git reset --hard", "git reset"],
    ["git checkout -- src/a.ts", "git checkout"],
    ["git switch main", "git switch"],
    ["git stash", "git stash"],
    ["git stash pop", "git stash"],
    ["git branch -D llm_task_x", "git branch"],
    ["git branch --delete x", "git branch"],
    ["git pull --rebase", "git pull"],
    ["git cherry-pick abc", "git cherry-pick"],
    ["git revert HEAD", "git revert"],
    ["git am < x.patch", "git am"],
    ["git restore src/a.ts", "git restore"],
    ["git clean -fd", "git clean"],
    ["git update-ref refs/heads/main abc", "git update-ref"],
    ["git symbolic-ref HEAD refs/heads/x", "git symbolic-ref"],
    ["/usr/bin/git push origin main", "git push"],
    ["GIT_DIR=.git git commit", "git commit"],
    ["sudo -E git push", "git push"],
    ["env A=1 git push", "git push"],
    ["bash -c 'git commit -m x'", "git commit"],
    ['sh -ec "cd src && git commit"', "git commit"],
    ["echo $(git commit -m x)", "git commit"],
    ["(git commit)", "git commit"],
    ["if true; then git push; fi", "git push"],
    ["echo a\ngit push", "git push"],
    ['g"i"t commit', "git commit"],
    ["cat <<EOF\ntext\nEOF\ngit commit", "git commit"],
    ["code-intel trust", "code-intel trust"],
    ["code-intel prove --ci a..b --allow-commands=all", "code-intel prove --allow-commands"],
    ["code-intel session accept", "code-intel session accept"],
    ["/opt/code-intel restore session_x --to 3", "code-intel restore"],
    ["code-intel clean --all", "code-intel clean --all"],
    ["code-intel uninstall --purge", "code-intel uninstall"],
    ["npx -y deno@2.9.6 run -q -P /x/src/main.ts trust", "code-intel trust"],
  ];
  for (const [line, refused] of rows) equal(judgeShell(line, PLACE)?.command, refused, line);
});

Deno.test("judgeShell() lets all else pass", () => {
  const rows: readonly string[] = [
    "",
    "git status",
    "git log --oneline",
    "git diff main",
    "git branch",
    "git branch --list 'x*'",
    "git stash list",
    "git commit --dry-run",
    "git merge --help",
    "git clean -nd",
    "git symbolic-ref --short HEAD",
    "git restore --help",
    "git -C /elsewhere commit -m x",
    "cd /elsewhere && git push",
    "git merge-base a b",
    "git show HEAD:commit",
    "echo 'git commit'",
    'echo "run git push later"',
    "echo git commit",
    "grep -rn 'git push' .",
    "cat > notes.md <<'EOF'\ngit commit -m x\nEOF",
    "npm run commit",
    "legit commit",
    "code-intel text login",
    "code-intel session status",
    "code-intel clean --dry-run",
    "code-intel restore --help",
    "echo code-intel trust is needed",
    "rg code-intel restore",
  ];
  for (const line of rows) equal(judgeShell(line, PLACE)?.command, undefined, line);
});

Deno.test("judgeShell() knows the folder of the project by the rules of its system", () => {
  const rows: readonly (readonly [root: string, cwd: string, line: string, isRefused: boolean])[] =
    [
      ["C:\\work\\app", "C:\\work\\app\\src", "git push", true],
      ["C:\\work\\app", "C:\\work\\app", "git push", true],
      ["C:\\work\\app", "c:\\Work\\App\\src", "git push", true],
      ["C:/work/app", "C:\\work\\app\\src", "git push", true],
      ["C:\\work\\app", "C:\\work\\apple", "git push", false],
      ["C:\\work\\app", "C:\\work", "git push", false],
      ["C:\\work\\app", "D:\\work\\app", "git push", false],
      ["C:\\work\\app", "C:\\work", "cd app && git push", true],
      ["C:\\work\\app", "C:\\work\\app", "git -C .. push", false],
      ["\\\\host\\share\\app", "\\\\host\\share\\app\\src", "git push", true],
      ["/work/app", "/work/apple", "git push", false],
      ["/work/app", "/work", "git -C app push", true],
      ["/", "/anywhere", "git push", true],
    ];
  for (const [root, cwd, line, isRefused] of rows) {
    equal(judgeShell(line, { root, cwd }) !== null, isRefused, `${root} ${cwd} ${line}`);
  }
});

Deno.test("judgeShell() was off where the project lies behind a link, such as /tmp of macOS", () => {
  const toReal = (path: string) => path.replace(/^\/tmp\b/, "/private/tmp");
  const rows: readonly (readonly [cwd: string, line: string])[] = [
    ["/private/tmp/app", "git push"],
    ["/tmp/app/src", "git push"],
    ["/elsewhere", "cd /private/tmp/app && git push"],
  ];
  for (const [cwd, line] of rows) {
    equal(judgeShell(line, { cwd, root: "/tmp/app", toReal })?.command, "git push", line);
  }
  equal(judgeShell("git push", { cwd: "/private/tmp", root: "/tmp/app", toReal }), null);
});
