/**
 * The scripted adversary: nothing gets through, and no honest run is refused. A twelfth of the attacks, another one for
 * each commit, so that the gate keeps its time and says the same of the same sources, and some each time;
 * `deno task escape` tries them all.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { ATTACKS } from "./attacks.ts";
import { tryAll } from "./run.ts";

/** One of each kind of way round. */
const ALWAYS: readonly string[] = [
  "shell-edit-4",
  "only-verify-leaves-a-change",
  "washed-by-park",
  "two-servers-two-starts",
  "payload-replayed",
  "terminal-trust",
];

const SHARES = 12;

/** Which share is tried: it depends on the commit alone, and is the first where there is no repository. */
async function pickShare(): Promise<number> {
  const args = ["rev-parse", "--verify", "HEAD"];
  const { code, stdout } = await new Deno.Command("git", { args, stderr: "null" }).output();
  return code === 0 ? parseInt(new TextDecoder().decode(stdout).slice(0, 6), 16) % SHARES : 0;
}

Deno.test("no attack escapes, and each honest twin passes", async () => {
  const share = await pickShare();
  const attacks = ATTACKS.filter(({ id }, at) => at % SHARES === share || ALWAYS.includes(id));
  const outcomes = await tryAll(attacks, { parallel: 2, onDone: () => {} });
  const faults = outcomes.filter(({ escape, refused }) => escape !== null || refused !== null)
    .map(({ attack, escape, refused }) => ({ id: attack.id, escape, refused }));
  deepEqual(faults, []);
});

Deno.test("there are at least sixty attacks, each with its own name", () => {
  const ids = new Set(ATTACKS.map(({ id }) => id));
  ok(ids.size >= 60 && ids.size === ATTACKS.length, `${ids.size} of ${ATTACKS.length}`);
});
