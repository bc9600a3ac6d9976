/** Real git repositories in temporary folders, with the few helpers that tests need. */
import { dirname, join } from "node:path";
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Repository } from "../../src/git/repository.ts";
import { dropInheritedVariables } from "../../src/git/git_settings.ts";
import { Git } from "../../src/git/git.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { FolderCopy } from "./files/folder_copy.ts";
import { readFolder, writeFolder } from "./files/folder_copy.ts";
import { giveUp } from "./temp_folder.ts";

// A hook, a rebase or a bisect that runs the tests would make each `git init` one of the repository around them.
dropInheritedVariables();

/** How a test repository is made. */
export interface TempRepoOptions {
  /** Files of the first commit; without it there is no commit. Default one `README.md`. */
  readonly files?: Readonly<Record<string, string>> | null;
  readonly objectFormat?: "sha1" | "sha256";
  /** Name of the first branch, default `main`. */
  readonly branch?: string;
}

/** A repository that is removed at the end of the `await using` block. */
export interface TempRepo extends AsyncDisposable {
  readonly dir: string;
  readonly repo: Repository;
  /** Runs git, fails the test when git fails, returns the output without its line end. */
  git(...args: string[]): Promise<string>;
  /** Writes files below the repository, making folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Adds everything and commits; returns the commit. */
  commit(message: string, files?: Readonly<Record<string, string>>): Promise<string>;
  read(path: string): Promise<string>;
  remove(...paths: string[]): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** All that a program must not touch: HEAD, index, files, as text to compare. */
  state(): Promise<string>;
}

/** Makes a repository that depends on nothing of the machine's configuration. */
export async function createTempRepo(options: TempRepoOptions = {}): Promise<TempRepo> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-test-" }));
  const { branch = "main", objectFormat = "sha1" } = options;
  const files = options.files === undefined ? { "README.md": "# Test\n" } : options.files;
  const key = `${objectFormat} ${branch} ${JSON.stringify(files)}`;
  const known = copies.get(key);
  if (known !== undefined) {
    writeFolder(dir, known);
    // The index knows files by number too: it would take each for one that may have changed.
    if (files !== null) await runGit(dir, ["update-index", "-q", "--refresh"]);
  } else {
    await makeEmpty(dir, branch, objectFormat);
    if (files !== null) await commitAll(toWriter(dir), "First", files);
    copies.set(key, readFolder(dir));
  }
  return await adoptRepo(dir);
}

/** The repository that lies in a folder already; removed as one that was made. */
export async function adoptRepo(dir: string): Promise<TempRepo> {
  const config = await Deno.readTextFile(join(dir, ".git", "config"));
  first ??= openFirst(dir);
  const gitDir = join(dir, ".git");
  const repo: Repository = {
    ...await first,
    git: new Git(dir),
    worktree: dir,
    gitDir,
    commonDir: gitDir,
    objectFormat: /objectformat = sha256/i.test(config) ? "sha256" : "sha1",
  };
  return toTempRepo(dir, repo);
}

/** All repositories are made alike: git opens the first one, and says its version. */
let first: Promise<Repository> | undefined;

async function openFirst(dir: string): Promise<Repository> {
  const repo = await openRepository(dir);
  if (repo === null) throw new Error(`No repository at ${dir}`);
  return repo;
}

/** Starting git for each repository costs more than most tests do: once for all alike is enough. */
const copies = new Map<string, FolderCopy>();

async function makeEmpty(dir: string, branch: string, format: string): Promise<void> {
  const known = copies.get(`${format} ${branch} null`);
  if (known !== undefined) return writeFolder(dir, known);
  // Without the samples of hooks, which nothing reads.
  await runGit(dir, ["init", "-q", "--template=", "-b", branch, `--object-format=${format}`]);
  const config = join(dir, ".git", "config");
  await Deno.writeTextFile(config, CONFIG, { append: true });
  for (const folder of ["hooks", "info"]) await Deno.mkdir(join(dir, ".git", folder));
  copies.set(`${format} ${branch} null`, readFolder(dir));
}

/** Somebody who commits. Git looks after no repository of a few files, so it need not start to find that out. */
const CONFIG = `[user]
\tname = Test Person
\temail = person@example.org
[commit]
\tgpgSign = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

async function commitAll(
  { git, write }: Pick<TempRepo, "git" | "write">,
  message: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await write(files);
  await git("add", "-A");
  await git("commit", "-q", "--allow-empty", "-m", message);
}

function toWriter(dir: string): Pick<TempRepo, "git" | "write"> {
  return {
    git: (...args) => runGit(dir, args),
    write: (files) => Promise.try(writeAll, dir, files),
  };
}

/** At one go: for many small files that costs a fifth of what waiting for each does. */
function writeAll(dir: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  const encoder = new TextEncoder();
  const made = new Set<string>();
  for (const [path, content] of Object.entries(files)) {
    const full = join(dir, path);
    const folder = dirname(full);
    if (!made.has(folder)) Deno.mkdirSync(folder, { recursive: true });
    made.add(folder);
    Deno.writeFileSync(full, typeof content === "string" ? encoder.encode(content) : content);
  }
}

/** The helpers of a repository that is there already. */
function toTempRepo(dir: string, repo: Repository): TempRepo {
  const { git, write } = toWriter(dir);
  return {
    dir,
    repo,
    git,
    write,
    commit: async (message, files = {}) => {
      await commitAll({ git, write }, message, files);
      return await git("rev-parse", "HEAD");
    },
    read: (path) => Deno.readTextFile(join(dir, path)),
    remove: async (...paths) => {
      for (const path of paths) await Deno.remove(join(dir, path), { recursive: true });
    },
    exists: (path) => Deno.lstat(join(dir, path)).then(() => true, () => false),
    state: async () =>
      [
        await git("rev-parse", "--symbolic-full-name", "HEAD"),
        await git("for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
        await git("ls-files", "-s", "-v"),
        await git("status", "--porcelain", "-uall"),
        await git("stash", "list"),
      ].join("\n--\n"),
    [Symbol.asyncDispose]: () => giveUp(dir),
  };
}

/** Runs git in a folder; fails when git fails. */
export async function runGit(dir: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command("git", {
    args: [...args],
    cwd: dir,
    env: {
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    },
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder();
  if (!output.success) {
    throw new Error(`git ${args.join(" ")}: ${text.decode(output.stderr)}`);
  }
  return text.decode(output.stdout).replace(/\n$/, "");
}

/** Runs `action` and fails when it changed HEAD, branches, the index or the status. */
export async function expectUntouched<T>(temp: TempRepo, action: () => Promise<T>): Promise<T> {
  const before = await temp.state();
  const result = await action();
  deepEqual(await temp.state(), before);
  return result;
}
