/**
 * What jobs save on a made history: each commit adds a function with its test and is proven where it was made, most of them
 * with a signed note; then a job proves it in a new clone, with the notes and without them.
 */
import { join } from "node:path";
import { NO_ASKER } from "../../src/base/asker.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { FEATURES } from "../../src/features/features.ts";
import type { ProveAnswer, ProveRequest } from "../../src/services/prove_api.ts";
import { createServices } from "../../src/services/services.ts";
import { createTempRepo } from "../../tests/support/temp_repo.ts";

/** One commit: how it was stated, and what jobs took. */
export interface JobRow {
  readonly commit: number;
  /** `signed` by an allowed key, by `another` key, or `none`. */
  readonly note: "signed" | "another" | "none";
  readonly verdict: string;
  /** Seconds of the job with the notes at hand, and without any. */
  readonly seconds: number;
  readonly withoutSeconds: number;
}

const NOTES = "refs/notes/code-intel";

/** Makes the history, and tells each commit when its jobs have ended. */
export async function measureJobs(
  count: number,
  onRow: (row: JobRow) => void,
): Promise<readonly JobRow[]> {
  const { folder, remote, dev, dir, git } = await setUp();
  const rows: JobRow[] = [];
  for (let commit = 1; commit <= count; commit++) {
    const name = `f${commit}`;
    await Deno.writeTextFile(
      join(dir, `src/${name}.js`),
      `exports.${name} = (n) => n + ${commit};\n`,
    );
    await Deno.writeTextFile(join(dir, `test/${name}.test.js`), toTest(name, commit));
    await git("add", "-A");
    await git("commit", "-q", "-m", `Add ${name}`);
    const note = commit % 10 === 0 ? "none" : commit % 10 === 5 ? "another" : "signed";
    await git("config", "user.signingKey", join(folder, note === "another" ? "ben" : "anna"));
    if (note !== "none") {
      const change = { kind: "commit", commit: "HEAD", base: null } as const;
      await prove(dir, dev, { change, isNoted: true });
    }
    await git("push", "-q", remote, "HEAD:refs/heads/work", `+${NOTES}:${NOTES}`);
    const job = async (hasNotes: boolean) => {
      const clone = join(folder, `clone-${commit}-${hasNotes}`);
      const startedAt = performance.now();
      await run("git", "clone", "-q", "--branch", "work", remote, clone);
      if (hasNotes) await run("git", "-C", clone, "fetch", "-q", "origin", `${NOTES}:${NOTES}`);
      const range = { kind: "range", range: "origin/main...HEAD" } as const;
      const state = join(folder, `state-${commit}-${hasNotes}`);
      const { proof } = await prove(clone, state, { change: range, job: { allowed: ["all"] } });
      return { verdict: proof.verdict, seconds: (performance.now() - startedAt) / 1_000 };
    };
    const { verdict, seconds } = await job(true);
    const row = {
      commit,
      note,
      verdict,
      seconds,
      withoutSeconds: (await job(false)).seconds,
    } as const;
    rows.push(row);
    onRow(row);
    await git("push", "-q", remote, "HEAD:refs/heads/main");
  }
  await Deno.remove(folder, { recursive: true });
  return rows;
}

/** A project with a remote and two keys, of which the project allows one. */
async function setUp() {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "jobs-" }));
  const remote = join(folder, "remote.git");
  const makeKey = async (name: string) => {
    const path = join(folder, name);
    await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path);
    return `${name}@example.org ${await Deno.readTextFile(`${path}.pub`)}`;
  };
  const signers = await makeKey("anna");
  await makeKey("ben");
  const verify = [{ name: "test", run: ["node", "--test", "test/"] }];
  const { dir, git } = await createTempRepo({
    files: {
      "src/first.js": "exports.first = (n) => n + 1;\n",
      "test/first.test.js": toTest("first", 1),
      ".code-intel/config.json": JSON.stringify({ verify }),
      ".code-intel/allowed_signers": signers,
    },
  });
  await run("git", "clone", "-q", "--bare", dir, remote);
  await git("config", "gpg.format", "ssh");
  const dev = join(folder, "state");
  await trust(dir, dev);
  return { folder, remote, dev, dir, git };
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(`${program} ${args[0]}: ${new TextDecoder().decode(stderr)}`);
}

function toTest(name: string, added: number): string {
  return `const { test } = require("node:test");
const assert = require("node:assert");
const { ${name} } = require("../src/${name}.js");
test("${name}", () => {
  assert.strictEqual(${name}(2), ${2 + added});
  assert.strictEqual(${name}(40), ${40 + added});
});
`;
}

async function open(projectDir: string, stateDir: string) {
  await Deno.mkdir(stateDir, { recursive: true });
  const get = (name: string) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name);
  const usual = { isNamed: true, logger: SILENT_LOGGER, offered: [], isBrief: true };
  return await createServices({ ...usual, projectDir, get, features: FEATURES });
}

async function trust(projectDir: string, stateDir: string): Promise<void> {
  const services = await open(projectDir, stateDir);
  const { verification } = services;
  await verification.trustCommands(await verification.loadCommands(), "terminal");
  await services.close();
}

async function prove(
  projectDir: string,
  stateDir: string,
  request: Pick<ProveRequest, "change" | "isNoted" | "job">,
): Promise<Extract<ProveAnswer, { readonly kind: "proof" }>> {
  const services = await open(projectDir, stateDir);
  const { signal } = new AbortController();
  const answer = await services.proveChange({
    ...{ ...request, withinMs: Infinity, signal, asker: NO_ASKER },
  });
  await services.close();
  if (answer.kind === "refused") throw new Error(`${answer.problems[0]?.message}`);
  return answer;
}

/** The sums, a line each. */
export function formatJobs(rows: readonly JobRow[]): readonly string[] {
  const sum = (of: readonly JobRow[], key: "seconds" | "withoutSeconds") =>
    of.reduce((all, row) => all + row[key], 0) / 60;
  const kinds = ["signed", "another", "none"] as const;
  const lines = kinds.map((kind) => [kind, rows.filter(({ note }) => note === kind)] as const);
  return [["all", rows] as const, ...lines].map(([kind, of]) =>
    `${kind}: ${of.length} commits, ${
      sum(of, "withoutSeconds").toFixed(1)
    } minutes of jobs without notes, ${sum(of, "seconds").toFixed(1)} with them, ${
      of.filter(({ verdict }) => verdict === "proven").length
    } proven`
  );
}
