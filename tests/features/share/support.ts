/** Machines of a team: each a clone with an index of its own, and a bare repository that they share by. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import type { Analyser, AnalysisJob } from "../../../src/analysis/analyser.ts";
import type { StoredPack } from "../../../src/features/share/pack.ts";
import { readTree } from "../../../src/features/share/share_tree.ts";
import { toDump } from "../../index/many_processes.ts";
import type { Share, ShareSettings } from "../../../src/features/share/share.ts";
import { createShare } from "../../../src/features/share/share.ts";
import { ShareFolder } from "../../../src/features/share/share_folder.ts";
import { SharedPacks } from "../../../src/features/share/shared_packs.ts";
import { findRemote } from "../../../src/git/remote/remote_location.ts";
import { RemoteStore } from "../../../src/git/remote/remote_store.ts";
import type { Embedder } from "../../../src/embedding/embedder.ts";
import type { RemoteLocation } from "../../../src/git/remote/remote_location.ts";
import type { TestIndex } from "../../index/support.ts";
import { openTestIndex } from "../../index/support.ts";
import type { SharedRecords } from "../../../src/index/seen_runs.ts";
import { giveUp } from "../../support/temp_folder.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

/** The ref of a project at one of its own remotes. */
export const REF = "refs/code-intel/index/1/project";

/** Files enough that a machine looks at what others share. */
export function makeSources(count: number, turn = 0): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `src/part${at % 5}/file${at}.ts`,
      `import { next } from "./file${
        at + 1
      }.ts";\n\n/** Thing ${at} of turn ${turn}. */\nexport class Thing${at} {\n  run${at}(limit: number): string {\n    return next(limit + ${turn});\n  }\n}\n`,
    ]),
  );
}

/** Analyses really, in this thread, and says what it did. */
class WatchedAnalyser implements Analyser {
  readonly concurrency = 2;
  /** Paths that were analysed, or compared with a record. */
  readonly analysed: string[] = [];

  analyse(job: AnalysisJob) {
    if (job.record === undefined || job.isProof === true) this.analysed.push(job.path);
    return OWN_THREAD.analyse(job);
  }

  close() {}
}

/** One machine. */
export interface Machine extends AsyncDisposable {
  readonly repo: TempRepo;
  readonly index: TestIndex["index"];
  readonly share: Share;
  readonly analyser: WatchedAnalyser;
  readonly folder: ShareFolder;
  /** What it told a person. */
  readonly notices: readonly string[];
}

/** How a machine is set up. */
export interface MachineOptions extends Partial<ShareSettings> {
  /** What makes vectors; default nothing. */
  readonly embedder?: Embedder;
  /** Runs that it recorded; default none. */
  readonly records?: SharedRecords;
  /** The hash of its repository; default SHA-1. */
  readonly objectFormat?: "sha1" | "sha256";
}

/** A team. */
export interface Team extends AsyncDisposable {
  /** Absolute path of the bare repository. */
  readonly remote: string;
  /** A machine with these files in its first commit; the remote `team` is the shared one. */
  join(files: Readonly<Record<string, string>>, more?: MachineOptions): Promise<Machine>;
  /** A repository of somebody who writes to the remote what he likes. */
  openStore(): Promise<{ readonly store: RemoteStore; readonly place: RemoteLocation }>;
  /** Moves the ref of the remote to a commit of a tree with these bytes, whatever git thinks of them. */
  writeTree(tree: Uint8Array): Promise<void>;
  /** The commit that the remote has; empty without one. */
  readTip(): Promise<string>;
}

/** Makes a team without machines. */
export async function createTeam(objectFormat: "sha1" | "sha256" = "sha1"): Promise<Team> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-team-" }));
  const remote = join(dir, "remote.git");
  const host = await createTempRepo({ files: null });
  await host.git("init", "--quiet", "--bare", `--object-format=${objectFormat}`, remote);
  return {
    remote,
    join: (files, more = {}) => openMachine(remote, files, more),
    openStore: async () => {
      const store = new RemoteStore(join(dir, crypto.randomUUID()));
      await store.open();
      return { store, place: await findRemote(null, remote, { base: dir }) };
    },
    writeTree: async (bytes) => {
      const path = join(dir, "tree");
      await Deno.writeFile(path, bytes);
      const git = (...args: string[]) => host.git("--git-dir", remote, ...args);
      const tree = await git("hash-object", "-w", "-t", "tree", "--literally", path);
      const identity = ["-c", "user.name=Mallory", "-c", "user.email=m@example.org"];
      const commit = await git(...identity, "commit-tree", "-m", "odd", tree);
      await git("update-ref", REF, commit);
    },
    readTip: () =>
      host.git("--git-dir", remote, "for-each-ref", "--format=%(objectname)", "refs/code-intel"),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await giveUp(dir);
    },
  };
}

/** A machine over a repository of its own. */
async function openMachine(
  remote: string,
  files: Readonly<Record<string, string>>,
  { embedder, records, objectFormat = "sha1", ...settings }: MachineOptions,
): Promise<Machine> {
  const repo = await createTempRepo({ files, objectFormat });
  await repo.git("remote", "add", "team", remote);
  const notices: string[] = [];
  const onNotice = (notice: string) => notices.push(notice);
  const folder = new ShareFolder(join(repo.repo.commonDir, "code-intel"));
  const analyser = new WatchedAnalyser();
  const shared = new SharedPacks(folder, { onNotice });
  const meaning = embedder === undefined ? {} : { embedder };
  const test = openTestIndex(repo.repo, { options: { analyser, shared, ...meaning } });
  const share = createShare({
    projectRoot: repo.dir,
    folder: () => Promise.resolve(folder),
    openRepo: () => Promise.resolve(repo.repo),
    loadSettings: () => Promise.resolve({ remote: "team", isPersonal: false, ...settings }),
    index: test.index,
    openRecords: () => Promise.resolve(records ?? null),
    onNotice,
    nowMs: Date.now,
  });
  return {
    repo,
    index: test.index,
    share,
    analyser,
    folder,
    notices,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Brings the index up to date and pushes. */
export async function pushAll({ index, share }: Machine) {
  await index.sync();
  return await share.push({ signal: new AbortController().signal });
}

/** Pulls, and brings the index up to date. */
export async function pullAll({ index, share }: Machine) {
  const pulled = await share.pull({ signal: new AbortController().signal });
  return { pulled, report: await index.sync() };
}

/** What an index says that analysed everything itself. */
export async function dumpOwn({ repo }: Machine): Promise<unknown> {
  const folder = join(repo.repo.gitDir, crypto.randomUUID());
  await using plain = openTestIndex(repo.repo, { options: { folder, analyser: OWN_THREAD } });
  await plain.index.sync();
  return await plain.index.read(toDump);
}

/** The packs of the remote by their names. */
export async function listPacks(store: RemoteStore, place: RemoteLocation) {
  await store.fetch(place, REF);
  const tip = await store.readTip(place, REF);
  const { packs } = readTree(await store.list(tip ?? ""), () => true);
  return Object.fromEntries(packs.map((pack) => [pack.name, pack]));
}

/** Moves the ref to a tree of these files, beside those that are there. */
export async function replaceFiles(
  store: RemoteStore,
  place: RemoteLocation,
  change: (files: readonly { readonly name: string; readonly oid: string }[]) => Promise<
    readonly { readonly name: string; readonly oid: string }[]
  >,
): Promise<void> {
  const old = await store.readTip(place, REF);
  const files = old === null ? [] : await store.list(await store.fetch(place, REF));
  const commit = await store.commit(await change(files), { parent: null, message: "poison" });
  equal(await store.push(place, REF, { old, commit }), true);
}

/** Adds a pack to what is shared. */
export async function addPack(
  store: RemoteStore,
  place: RemoteLocation,
  pack: StoredPack & { readonly kind: string; readonly day: number },
): Promise<void> {
  const [keys, body] = [await store.write(pack.keys), await store.write(pack.pack)];
  const name = `${pack.kind}.${pack.id}`;
  await replaceFiles(store, place, (files) =>
    Promise.resolve([
      ...files,
      { name: `${name}.keys`, oid: keys },
      { name: `${name}.${pack.day}.pack`, oid: body },
    ]));
}
