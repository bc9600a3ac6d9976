/** Notes about proofs: which statements beside a tree count, and that all others are named with the reason. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { keepProof, readProofs } from "../../../src/features/attest/proof_note.ts";
import { readPlatform } from "../../../src/features/attest/platform.ts";
import { signText } from "../../../src/features/attest/signed_text.ts";
import { formatPayload } from "../../../src/features/attest/statement.ts";
import type { ProofToKeep } from "../../../src/services/prove_api.ts";
import { testNeeding } from "../../support/needs.ts";
import type { AttestedRepo } from "./attested_repo.ts";
import { createAttestedRepo, toRun } from "./attested_repo.ts";

const BASE = "b".repeat(40);
const FOUND = {
  commands: [{ name: "test", run: ["sh", "test.sh"], paths: null, writes: [], timeoutMs: 1 }],
  behind: [],
  hash: "c".repeat(64),
} as unknown as ProofToKeep["found"];
const PROOF = { verdict: "proven", line: "proven: 3 tests ran", findings: [], checks: [] } as const;

async function setUp() {
  const temp = await createAttestedRepo();
  const signers = await temp.useKey("anna");
  const tree = await temp.git("rev-parse", "HEAD^{tree}");
  const toAbout = (rest: Readonly<Record<string, unknown>> = {}) => ({
    change: { tree, base: BASE, ...rest } as unknown as ProofToKeep["change"],
    found: { ...FOUND, ...rest },
    projectRoot: temp.dir,
  });
  const keep = async (rest: Readonly<Record<string, unknown>> = {}) =>
    await keepProof(temp.repo, {
      ...{ ...toAbout(rest), proof: PROOF, results: toRun().results },
      at: new Date().toISOString(),
      ...rest,
    });
  const read = async (rest: Readonly<Record<string, unknown>> = {}) =>
    await readProofs(temp.repo, { ...toAbout(rest), signers, ...rest });
  const note = async () => `${await temp.git("notes", "--ref=code-intel", "show", tree)}\n`;
  return { temp, tree, keep, read, note };
}

/** Signs a changed statement with the present key, and puts it beside the tree. */
async function resign(
  { temp, tree, change }: {
    readonly temp: AttestedRepo;
    readonly tree: string;
    readonly change: (payload: string) => string;
  },
) {
  const raw = `${await temp.git("notes", "--ref=code-intel", "show", tree)}\n`;
  const [, payload = ""] = raw.split("\n\n");
  const value = JSON.parse(change(payload));
  const signed = await signText(temp.repo, formatPayload(value));
  await temp.putNote(tree, signed.raw);
}

testNeeding(
  ["ssh_keygen"],
  "a signed note about a tree counts for its tree, commands and platform",
  async () => {
    const { temp, keep, read } = await setUp();
    await using _ = temp;
    deepEqual((await read()).refused, ["no note is beside this tree"]);
    const kept = await keep();
    deepEqual(kept, {
      kind: "written",
      ref: "refs/notes/code-intel",
      platform: await readPlatform(FOUND, temp.dir),
      unsignedBecause: null,
    });
    const { whole, results, signer, refused } = await read();
    equal(whole?.line, PROOF.line);
    deepEqual(results.map(({ name, report }) => [name, report?.passed]), [["test", 3]]);
    deepEqual([signer, refused], ["anna@example.org", []]);
    // Of another base the commands still passed on this tree, and what the tests show of the change is not known.
    const other = await read({ base: "e".repeat(40) });
    deepEqual([other.whole, other.results.length], [null, 1]);
    await keep({ base: "e".repeat(40) });
    equal((await read()).whole?.line, PROOF.line, "the note of another base stays");
    equal((await read({ base: "e".repeat(40) })).whole?.line, PROOF.line);
  },
);

testNeeding(["ssh_keygen"], "what counts is of an allowed key that holds now", async () => {
  const { temp, keep, read, note, tree } = await setUp();
  await using _ = temp;
  await keep();
  const key = async (signers: string | null) => (await read({ signers })).refused;
  const line = await Deno.readTextFile(`${temp.dir}/.git/anna.pub`);
  deepEqual(await key(null), ["the base has no file of allowed signers"]);
  deepEqual(await key(""), ["its key is not among the allowed signers of the base"]);
  const dated = (end: string) => `a@b valid-before="${end}" ${line}`;
  deepEqual(await key(dated("20991231")), []);
  // A key that ended yesterday signs with any date that its holder likes.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  deepEqual(await key(dated(yesterday.replaceAll("-", ""))), [
    "its key is not among the allowed signers of the base",
  ]);
  const whole = await note();
  await temp.putNote(tree, whole.replace('"verdict":"proven"', '"verdict":"unknown"'));
  deepEqual((await read()).refused, ["it was changed after it was signed"]);
  await temp.putNote(tree, whole);
  await temp.useNoKey();
  const unsigned = await keep();
  match(`${unsigned.kind === "written" && unsigned.unsignedBecause}`, /no signing key/);
  const both = await read();
  deepEqual([both.whole?.line, both.refused], [PROOF.line, ["nobody signed it"]]);
  await temp.putNote(tree, "anything\n");
  deepEqual((await read()).refused, ["a statement cannot be read"]);
});

testNeeding(
  ["ssh_keygen"],
  "a statement of a known key that is copied, replayed, of other commands or of another platform does not count",
  async () => {
    const { temp, tree, keep, read } = await setUp();
    await using _ = temp;
    const rows: readonly (readonly [RegExp, (payload: string) => string])[] = [
      [/about another tree/, (text) => text.replace(tree, "d".repeat(40))],
      [/older than 7 days/, (text) => text.replace(/"at":"\d{4}/, '"at":"2020')],
      [/time to come/, (text) => text.replace(/"at":"\d{4}/, '"at":"2099')],
      [/of plan9, not /, (text) => text.replace(/"platform":"[^"]*"/, '"platform":"plan9"')],
      [/commands have changed/, (text) => text.replace("c".repeat(64), "f".repeat(64))],
      [/cannot be read/, (text) => text.replace('"exitCode":0', '"exitCode":1')],
    ];
    for (const [why, change] of rows) {
      await temp.git("update-ref", "-d", "refs/notes/code-intel");
      await keep();
      await resign({ temp, tree, change });
      const { whole, results, refused } = await read();
      deepEqual([whole, results], [null, []]);
      match(refused.join("; "), why);
    }
  },
);

testNeeding(["ssh_keygen"], "notes of two people that git brought together both stay", async () => {
  const { temp, tree, keep, read, note } = await setUp();
  await using _ = temp;
  await keep();
  const one = await note();
  await temp.useKey("ben");
  await temp.git("update-ref", "-d", "refs/notes/code-intel");
  await keep({ base: "e".repeat(40) });
  await temp.putNote(tree, `${one}\n${await note()}`);
  const { whole, refused } = await read();
  equal(whole?.line, PROOF.line);
  deepEqual(refused, ["its key is not among the allowed signers of the base"]);
  // A note about a tree survives in a folder with spread names, and is replaced there too.
  await keep();
  equal(
    (await temp.git("ls-tree", "-r", "--name-only", "refs/notes/code-intel")).split("\n").length,
    1,
  );
});
