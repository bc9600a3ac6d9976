/** All that a program could leave in a project: every byte of its files and of git's, every ref and mode. */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** Content by path; a folder ends with a slash, a link has its target. */
export type Footprint = Readonly<Record<string, string>>;

/** What git rewrites by itself: stamps of files in its index, and objects that nothing has to name. */
const OF_GIT = /^\.git\/(?:index$|objects\/)/;

/** Reads a repository: its files, git's own files, its refs, and what its index says of each file. */
export async function readFootprint(dir: string): Promise<Footprint> {
  const found: Record<string, string> = {};
  await readFolder(dir, "", found);
  const isKept = ([path]: readonly [string, string]) => !OF_GIT.test(path);
  return {
    ...Object.fromEntries(Object.entries(found).filter(isKept)),
    refs: await git(dir, "for-each-ref"),
    head: await git(dir, "symbolic-ref", "HEAD"),
    staged: await git(dir, "ls-files", "--stage", "--debug").then(withoutStamps),
    status: await git(dir, "status", "--porcelain", "--ignored"),
  };
}

/** Reads any folder, such as a home. */
export async function readFolderFootprint(dir: string): Promise<Footprint> {
  const found: Record<string, string> = {};
  await readFolder(dir, "", found);
  return found;
}

/** The paths at which two states differ, each with a sign: new, gone, changed. */
export function compareFootprints(before: Footprint, after: Footprint): readonly string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.flatMap((path) => {
    const [old, now] = [before[path], after[path]];
    if (old === now) return [];
    return [`${old === undefined ? "+" : now === undefined ? "-" : "~"} ${path}`];
  });
}

async function readFolder(root: string, below: string, found: Record<string, string>) {
  for await (const { name } of Deno.readDir(join(root, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    const absolute = join(root, path);
    const info = await Deno.lstat(absolute);
    const mode = ((info.mode ?? 0) & 0o777).toString(8);
    if (info.isDirectory) {
      found[`${path}/`] = mode;
      await readFolder(root, path, found);
    } else if (info.isSymlink) found[path] = `-> ${await Deno.readLink(absolute)}`;
    else {
      const bytes = await Deno.readFile(absolute);
      found[path] = `${mode} ${createHash("sha256").update(bytes).digest("hex")}`;
    }
  }
}

function withoutStamps(text: string): string {
  return text.split("\n").filter((line) => !line.startsWith("  ")).join("\n");
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command("git", { args: [...args], cwd, stderr: "null" })
    .output();
  return new TextDecoder().decode(stdout);
}
