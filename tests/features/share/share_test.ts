/** How the ref of a remote moves, and what a person is told where nothing can be shared. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { makeGitError } from "../../../src/git/git.ts";
import { findRemote, makeRemoteError } from "../../../src/git/remote/remote_location.ts";
import { findShareFault } from "../../../src/features/share/share.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { createTeam, makeSources, pushAll, REF } from "./support.ts";

Deno.test("a ref moves only from the commit that was read: who comes too late changes nothing", async () => {
  await using team = await createTeam();
  const { store, place } = await team.openStore();
  const oid = await store.write(new TextEncoder().encode("one"));
  const make = (name: string, parent: string | null) =>
    store.commit([{ name, oid }], { parent, message: name });
  const first = await make("first", null);
  equal(await store.push(place, REF, { old: null, commit: first }), true);
  const late = await make("late", null);
  equal(await store.push(place, REF, { old: null, commit: late }), false);
  const second = await make("second", first);
  equal(await store.push(place, REF, { old: first, commit: second }), true);
  // It would be a fast-forward from what it read.
  const other = await make("other", first);
  equal(await store.push(place, REF, { old: first, commit: other }), false);
  equal(await team.readTip(), second);
  equal(await store.push(place, REF, { old: second, commit: late }), true);
});

Deno.test("without a remote, without a network and with a folder that is none, errors say the next step", async () => {
  await using team = await createTeam();
  await using machine = await team.join(makeSources(2), { remote: null });
  const signal = new AbortController().signal;
  const tell = (remote: string | undefined) =>
    machine.share.pull({ remote, signal }).then(
      () => "nothing",
      ({ message, hint }) => `${message}\n${hint}`,
    );
  match(await tell(undefined), /no remote is named\nName one: .*share_remote/);
  match(await tell("--upload-pack=x"), /it is no name/);
  match(
    await tell("nowhere"),
    /neither a remote of the repository nor a folder\n.*git init --bare/,
  );
  match(
    await tell(machine.repo.dir + "/src"),
    /does not appear to be a git repository.*\n.*--bare/,
  );
  match(await tell("ext::sh -c true"), /transport 'ext' not allowed/);
  match(await tell("http://127.0.0.1:9/x.git"), /(?:refused|connect).*\n.*git ls-remote/i);
  const state = machine.folder.readState();
  match(state.problem ?? "", /127\.0\.0\.1/);

  // Of a file that came with a clone only the names of its own remotes are obeyed, and nothing of it is an error at a start.
  await using lured = await team.join(makeSources(2), { remote: team.remote });
  match(
    await lured.share.pull({ signal }).then(() => "", ({ message }) => message),
    /config\.json may only name a remote of the repository/,
  );
  await lured.share.pullWhenDue(signal);
  deepEqual([lured.notices, lured.folder.readState().triedAtMs], [[], null]);
});

Deno.test("only what the commit of HEAD has is pushed, whatever git is told of the files, with line ends of any kind", async () => {
  await using team = await createTeam();
  await using machine = await team.join({
    "src/kept.ts": "export const kept = 1;\n",
    "src/changed.ts": "export const changed = 1;\n",
    "src/hidden.ts": "export const hidden = 1;\n",
    "src/windows.ts": "export const windows = 1;\nexport const more = 2;\n",
  });
  const { repo } = machine;
  await repo.git("config", "core.autocrlf", "true");
  await repo.remove("src/windows.ts");
  await repo.git("checkout", "--", "src/windows.ts");
  equal(
    await repo.read("src/windows.ts"),
    "export const windows = 1;\r\nexport const more = 2;\r\n",
  );
  await repo.git("update-index", "--assume-unchanged", "src/hidden.ts");
  await repo.write({
    "src/changed.ts": "export const changed_secret = 1;\n",
    "src/hidden.ts": "export const hidden_secret = 1;\n",
    "src/staged.ts": "export const staged_secret = 1;\n",
    "src/untracked.ts": "export const untracked_secret = 1;\n",
    "src/copy.ts": "export const kept = 1;\n",
  });
  await repo.git("add", "src/staged.ts");
  const { contents, added, shared, uncommitted } = await pushAll(machine);
  deepEqual([contents, added, shared, uncommitted], [6, 2, 2, 4]);
  await repo.git("add", "src/untracked.ts");
  await repo.git("commit", "--quiet", "-m", "More");
  deepEqual((await pushAll(machine)).added, 2);

  await using fresh = await team.join(makeSources(2, 5));
  await Deno.remove(join(fresh.repo.dir, ".git/refs/heads/main"));
  const none = await pushAll(fresh);
  deepEqual([none.added, none.shared, none.uncommitted], [0, 0, 2]);
});

Deno.test("the configuration may name a remote of the repository that has a slash in its name, and no other path", async () => {
  await using repo = await createTempRepo();
  const openRepo = () => Promise.resolve(repo.repo);
  const findFault = (remote: string) =>
    findShareFault({
      projectRoot: repo.dir,
      openRepo,
      settings: { remote, isPersonal: false },
    });
  await repo.git("init", "--quiet", "--bare", "shared.git");
  match(`${(await findFault("team/x"))?.message}`, /there is none of that name/);
  await repo.git("remote", "add", "team/x", join(repo.dir, "shared.git"));
  equal(await findFault("team/x"), null);
  for (const other of ["team/y", "./shared.git", join(repo.dir, "shared.git")]) {
    match(`${(await findFault(other))?.message}`, /there is none of that name/);
  }
});

Deno.test("a full disk and a remote that never answers are told with what helps against them", async () => {
  const full = "remote unpack failed: unable to create temporary file: No space left on device";
  match(`${makeRemoteError("team", full).hint}`, /Make room on the disk/);
  const result = { code: 128, stderr: `fatal: ${full}`, stdout: new Uint8Array() };
  match(
    `${makeGitError(["fetch"], { ...result, timedOut: false, truncated: false }).hint}`,
    /Free some space/,
  );
  await using team = await createTeam();
  const { store } = await team.openStore();
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = silent.addr as Deno.NetAddr;
  const place = await findRemote(null, `git://127.0.0.1:${port}/x.git`, { base: team.remote });
  const failure = await store.readTip(place, REF, { timeoutMs: 300 }).then(
    () => null,
    (one) => one,
  );
  equal(failure?.code, "timed_out");
  match(`${failure?.message} ${failure?.hint}`, /did not answer in time .*network/);
});
