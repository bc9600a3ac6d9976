/** What a person is told where nothing can be shared. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { createTeam, makeSources } from "./support.ts";

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
