/** How the ref of a remote moves, and what a person is told where nothing can be shared. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createTeam, makeSources, REF } from "./support.ts";

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
