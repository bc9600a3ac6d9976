/** Looks at a project as a person would who trusts nobody: the files themselves, git's own refs and index. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Project } from "../session/project.ts";
import { runGit } from "../temp_repo.ts";
import type { Files, Parts, Texts, Version } from "./model.ts";

/** All that a call of the server may or may not change. */
export interface Sight {
  /** Files that git does not ignore. */
  readonly files: Files;
  /** Files that git ignores; no snapshot has them. */
  readonly ignored: Files;
  readonly branch: string | null;
  readonly commit: string;
  /** Entries of the person's index by path and stage. */
  readonly index: ReadonlyMap<string, Version>;
  readonly stash: string;
  /** Tips of all branches, by name. */
  readonly tips: ReadonlyMap<string, string>;
}

/** True for what the walks leave out of every comparison. */
function isOwn(path: string): boolean {
  return path === ".code-intel" || path.startsWith(".code-intel/");
}

/** True for the files of the walks that git ignores. */
export function isIgnored(path: string): boolean {
  return path === ".env" || path.endsWith(".log");
}

/** Object id that git gives to bytes. */
export function toOid(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A text with the agent's part in line 3 and the person's below, far enough apart to be merged. */
export function toText({ agent, person }: Parts): string {
  return [
    "// A file that two work on.",
    "export function login(): string {",
    `  return 'agent ${agent}';`,
    "}",
    "//",
    "// The person's part is below.",
    "//",
    `export const note = 'person ${person}';`,
    "//",
    "",
  ].join("\n");
}

/** The parts of a text of {@link toText}; null for any other. */
export function toParts(text: string): Parts | null {
  const agent = /'agent (.*)'/.exec(text)?.[1];
  const person = /'person (.*)'/.exec(text)?.[1];
  if (agent === undefined || person === undefined) return null;
  return toText({ agent, person }) === text ? { agent, person } : null;
}

/** Reads one project; remembers the texts that it saw and the trees that refs keep. */
export class Watcher implements Texts {
  readonly #project: Project;
  readonly #parts = new Map<string, Parts>();
  readonly #trees = new Map<string, Files>();
  /** Trees of all refs of the program, by ref. */
  readonly refs = new Map<string, string>();
  /** Every version that some ref keeps, as `path version`. */
  readonly kept = new Set<string>();

  constructor(project: Project) {
    this.#project = project;
  }

  partsOf = (version: Version): Parts | undefined => this.#parts.get(version.split(" ")[1] ?? "");

  toVersion = (mode: string, parts: Parts): Version => {
    const oid = toOid(new TextEncoder().encode(toText(parts)));
    this.#parts.set(oid, parts);
    return `${mode} ${oid}`;
  };

  git(...args: readonly string[]): Promise<string> {
    return runGit(this.#project.dir, args);
  }

  async see(): Promise<Sight> {
    const [all, head, entries, tips] = await Promise.all([
      this.#readFiles(),
      Deno.readTextFile(join(this.#project.dir, ".git", "HEAD")),
      this.git("ls-files", "-s", "-z"),
      this.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash"),
    ]);
    const branch = /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? null;
    const refs = new Map(
      tips.split("\n").filter((line) => line !== "").map((line) => {
        const [name = "", commit = ""] = line.split(" ");
        return [name, commit];
      }),
    );
    const stash = refs.get("refs/stash") ?? "";
    refs.delete("refs/stash");
    return {
      files: new Map([...all].filter(([path]) => !isIgnored(path))),
      ignored: new Map([...all].filter(([path]) => isIgnored(path))),
      branch,
      commit: branch === null ? head.trim() : refs.get(`refs/heads/${branch}`) ?? "",
      index: toIndex(entries),
      stash,
      tips: refs,
    };
  }

  async #readFiles(): Promise<Map<string, Version>> {
    const files = new Map<string, Version>();
    const read = async (folder: string): Promise<void> => {
      for await (const entry of Deno.readDir(join(this.#project.dir, folder))) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (path === ".git" || isOwn(path)) continue;
        if (entry.isDirectory) await read(path);
        else files.set(path, await this.#readVersion(path));
      }
    };
    await read("");
    return files;
  }

  async #readVersion(path: string): Promise<Version> {
    const full = join(this.#project.dir, path);
    const info = await Deno.lstat(full);
    if (info.isSymlink) {
      return `120000 ${toOid(new TextEncoder().encode(await Deno.readLink(full)))}`;
    }
    const bytes = await Deno.readFile(full);
    const oid = toOid(bytes);
    const parts = toParts(new TextDecoder().decode(bytes));
    if (parts !== null) this.#parts.set(oid, parts);
    return `${((info.mode ?? 0) & 0o100) === 0 ? "100644" : "100755"} ${oid}`;
  }

  /** The files of a tree or commit, as they would be on disk. */
  async readTree(tree: string): Promise<Files> {
    const known = this.#trees.get(tree);
    if (known !== undefined) return known;
    const listed = await this.git("ls-tree", "-r", "-z", "--full-tree", tree);
    const files = new Map<string, Version>();
    for (const field of listed.split("\0")) {
      const tab = field.indexOf("\t");
      const path = field.slice(tab + 1);
      const [mode = "", , oid = ""] = field.slice(0, tab).split(" ");
      if (tab > 0 && !isOwn(path)) files.set(path, `${mode} ${oid}`);
    }
    this.#trees.set(tree, files);
    return files;
  }

  /** Looks at all refs of the program; each one that was there has to be there still, unchanged. */
  async readRefs(): Promise<void> {
    const format = "--format=%(refname) %(tree)%(object)%(objectname)";
    const lines = (await this.git("for-each-ref", format, "refs/code-intel")).split("\n");
    const now = new Map(
      lines.filter((line) => line !== "").map((line) => {
        const [ref = "", ids = ""] = line.split(" ");
        // A ref names a tree, or a tag object that names one.
        return [ref, ids.slice(0, 40)];
      }),
    );
    for (const [ref, tree] of this.refs) {
      if (now.get(ref) !== tree) throw new Error(`${ref} was ${tree} and is ${now.get(ref)}`);
    }
    for (const [ref, tree] of now) {
      // The trees that the session works with move on; what they keep is not kept for good.
      if (this.refs.has(ref) || /\/kept\/[a-z]+$/.test(ref)) continue;
      this.refs.set(ref, tree);
      for (const [path, version] of await this.readTree(tree)) this.kept.add(`${path} ${version}`);
    }
  }

  /** The ref of a session's snapshot that holds exactly these files; undefined without one. */
  async findSnapshot(sessionId: string, files: Files): Promise<string | undefined> {
    for (const [ref, tree] of [...this.refs].reverse()) {
      if (!ref.startsWith(`refs/code-intel/${sessionId}/`)) continue;
      if (isSame(await this.readTree(tree), files)) return ref;
    }
    return undefined;
  }
}

function toIndex(entries: string): ReadonlyMap<string, Version> {
  const index = new Map<string, Version>();
  for (const field of entries.split("\0")) {
    const tab = field.indexOf("\t");
    if (tab < 0) continue;
    const [mode = "", oid = "", stage = ""] = field.slice(0, tab).split(" ");
    const path = field.slice(tab + 1);
    if (!isOwn(path)) index.set(stage === "0" ? path : `${path}:${stage}`, `${mode} ${oid}`);
  }
  return index;
}

/** Whether two states have the same files. */
export function isSame(one: Files, other: Files): boolean {
  return one.size === other.size &&
    [...one].every(([path, version]) => other.get(path) === version);
}
