/** Folders and files of the program that a clone brings as links: nothing is written through them, and each is named. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Ground } from "./ground.ts";
import type { HostileRow } from "./row.ts";
import { testGroup } from "./row.ts";

/** Makes a link to something outside, starts a session, and expects the refusal that names the link. */
function toRow(path: string, target: string): HostileRow {
  return {
    tried: `${path} leads out of the project to ${target}`,
    plant: (ground) => ground.link(path, join(ground.outside, target)),
    ask: async (ground) => {
      const { reply, text } = await start(ground);
      equal(reply.ok, false, text);
      equal(reply.error, "own_path_refused", text);
      ok(text.includes(path.split("/").at(-1) ?? ""), text);
      match(text, /is a symbolic link/);
      if (path !== ".code-intel/sessions") return;
      const { stdout } = await ground.run(["doctor"]);
      match(stdout, /Cannot use ".*sessions": it is a symbolic link/);
    },
    undo: (ground) => ground.clear(path),
  };
}

async function start(ground: Ground) {
  const query = "Refuse an empty name in login";
  return await ground.call("start_session", { intent: "MODIFY", query, on_unfinished: "abandon" });
}

testGroup("parts of .code-intel that lead out of the project are named, and nothing is written", {
  rows: [
    toRow(".code-intel", "folder"),
    toRow(".code-intel/sessions", "folder"),
    toRow(".git/code-intel", "folder"),
  ],
});

/** Every file that a first call of a session writes. */
const FILES = ["logs/decisions.jsonl", "logs/outcomes.jsonl", "logs/.lock"];

testGroup("a log that is a link got lines of JSON written into the file that it leads to", {
  rows: FILES.map((name) => ({
    tried: `.code-intel/${name} leads to a file outside`,
    plant: (ground) => ground.link(`.code-intel/${name}`, join(ground.outside, "victim")),
    ask: async (ground) => {
      await start(ground);
      // A session that is abandoned is noted in the logs.
      const { text } = await start(ground);
      match(text, new RegExp(`${name.split("/").at(-1)}.*symbolic link|session_id`));
    },
    undo: (ground) => ground.clear(`.code-intel/${name}`),
  })),
});

testGroup("the user's folders are links", {
  prepare: async (ground) => {
    const state = join(ground.outside, "folder");
    const linked = join(ground.project.stateDir, "linked");
    await Deno.symlink(state, linked);
    ground.env = { CODE_INTEL_STATE_DIR: linked, CODE_INTEL_CACHE_DIR: linked };
  },
  rows: [{
    tried: "state folder and cache are links",
    plant: () => Promise.resolve(),
    ask: async (ground) => {
      equal((await start(ground)).reply.ok, true);
      const { stdout } = await ground.run(["doctor"]);
      match(stdout, /Session files are not sealed: Cannot use ".*linked": it is a symbolic link/);
    },
  }],
});
