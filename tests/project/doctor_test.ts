/** The findings of `doctor`, each with its cure. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { deleteBranch } from "../../src/git/branches/branches.ts";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { ConfigFindings, DoctorFacts } from "../../src/project/doctor.ts";
import type { DoctorRow } from "../../src/project/finding.ts";
import type { MeaningFacts } from "../../src/project/meaning_check.ts";
import { hasBroken, runDoctor } from "../../src/project/doctor.ts";
import { sampleState } from "../session/sample_state.ts";
import type { StoreFixture } from "../session/store_fixture.ts";
import { withStore } from "../session/store_fixture.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const MODEL = {
  modelId: "model-1",
  use: "foreign",
  modelFault: null,
  extension: "sqlite-vec 1 from /x",
  extensionFault: "",
} as const;
const MEANING = { wordFault: null, model: MODEL };
const CONFIG: ConfigFindings = {
  problems: [],
  overrides: [],
  variables: [],
  oldDocuments: 0,
};

function toFacts(fixture: StoreFixture, rest: Partial<DoctorFacts> = {}): DoctorFacts {
  const backends = createBackends();
  return {
    projectRoot: join(fixture.codeIntelDir, ".."),
    codeIntelDir: fixture.codeIntelDir,
    versions: ["code-intel 0.1.0", "deno 2"],
    openRepo: () => Promise.resolve(null),
    readBackends: async () => [await backends.rg()],
    readConfig: () => Promise.resolve(CONFIG),
    readVerify: () => Promise.resolve({ commands: toCommands(["test"]), isTrusted: true }),
    readContract: () => Promise.resolve({ problems: [], notices: [] }),
    listClosedTexts: () => Promise.resolve([]),
    readIndex: () => Promise.resolve(null),
    readMeaning: () => Promise.resolve(MEANING),
    otherChecks: [],
    store: fixture.again(),
    seal: createSeal(fixture.stateDir),
    ...rest,
  };
}

/** Status and detail of the rows of one check. */
async function find(id: string, facts: DoctorFacts): Promise<readonly DoctorRow[]> {
  return (await runDoctor(facts)).filter((row) => row.id === id);
}

Deno.test("runDoctor() finds nothing broken in a fresh repository", () =>
  withStore(async (fixture) => {
    await using temp = await createTempRepo();
    const facts = toFacts(fixture, { openRepo: () => openRepository(temp.dir) });
    const rows = await runDoctor(facts);
    deepEqual(rows.filter(({ status }) => status === "broken"), []);
    equal(hasBroken(rows), false);
    deepEqual([...new Set(rows.map(({ id }) => id))], [
      "program",
      "folder",
      "git",
      "snapshots",
      "backends",
      "config",
      "contract",
      "verify",
      "setup",
      "index",
      "meaning",
      "seal",
      "sessions",
      "locks",
      "leftovers",
    ]);
    const git = rows.filter(({ id }) => id === "git").map(({ detail }) => detail);
    match(git[0] ?? "", /^git version \d/);
    equal(git[1], "Base branch: main");
    equal(await Deno.stat(fixture.codeIntelDir).then(() => true, () => false), false);
  }));

Deno.test("runDoctor() counts what is kept and says how it stays out of git log --all", () =>
  withStore(async (fixture) => {
    await using temp = await createTempRepo();
    const facts = toFacts(fixture, { openRepo: () => openRepository(temp.dir) });
    equal((await find("snapshots", facts))[0]?.detail, "None yet");
    const at = new Date();
    await takeSnapshot(temp.repo, { sessionId: "session_20260101_000000_0001", label: "x", at });
    equal((await find("snapshots", facts))[0]?.fix, null);
    equal(await temp.git("log", "--all", "--format=%an"), "Test Person");
    await temp.git("branch", "side", await temp.git("commit-tree", "HEAD^{tree}", "-m", "side"));
    await deleteBranch(temp.repo, "side");
    const [row] = await find("snapshots", facts);
    equal(row?.detail, "1 of 1 session, 1 deleted branch, below refs/code-intel");
    equal(row?.status, "ok");
    const [, line = ""] = /`git (log [^`]+)`/.exec(String(row?.fix ?? "")) ?? [];
    const words = line.replaceAll("'", "").split(" ");
    match(await temp.git("log", "--all", "--format=%s"), /^side$/m);
    equal((await temp.git(...words, "--format=%s")).includes("side"), false);
  }));

Deno.test("runDoctor() tells what git lacks: repository, branch, commit", () =>
  withStore(async (fixture) => {
    const [none] = await find("git", toFacts(fixture));
    equal(none?.status, "warn");
    await using empty = await createTempRepo({ files: null });
    const unborn = await find(
      "git",
      toFacts(fixture, { openRepo: () => openRepository(empty.dir) }),
    );
    ok(unborn.some(({ status, detail }) => status === "warn" && /has no commit/.test(detail)));
    await using temp = await createTempRepo();
    await temp.git("checkout", "-q", "--detach");
    const detached = await find(
      "git",
      toFacts(fixture, { openRepo: () => openRepository(temp.dir) }),
    );
    ok(detached.some(({ status, detail }) => status === "warn" && /no branch/.test(detail)));
  }));

Deno.test("runDoctor() shows edited and damaged sessions as broken, with the command that helps", () =>
  withStore(async (fixture) => {
    const { store, sessionsDir } = fixture;
    const ids = ["session_20260101_000000_0001", "session_20260102_000000_0002"] as const;
    for (const sessionId of ids) {
      await store.save({ state: sampleState({ sessionId }) }, { expectedRevision: 0 });
    }
    const path = join(sessionsDir, `${ids[0]}.json`);
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("add a", "add the"));
    await Deno.writeTextFile(join(sessionsDir, `${ids[1]}.json`), "{");
    const rows = await find("sessions", toFacts(fixture));
    deepEqual(rows.map(({ status }) => status), ["broken", "broken", "ok"]);
    match(String(rows[0]?.fix ?? ""), /code-intel session accept session_20260101_000000_0001/);
    equal(hasBroken(rows), true);
    const leftovers = await find("leftovers", toFacts(fixture));
    match(leftovers[0]?.detail ?? "", /sessions\/session_20260102_000000_0002\.json\.corrupt-1/);
  }));

Deno.test("runDoctor() tells of a lock that a dead process left, and of one that is held", () =>
  withStore(async (fixture) => {
    const { store, sessionsDir } = fixture;
    equal((await find("locks", toFacts(fixture)))[0]?.detail, "None");
    await store.withOperation(async () => {
      const [row] = await find("locks", toFacts(fixture));
      equal(row?.status, "warn");
      match(row?.detail ?? "", /works on the sessions/);
    });
    await Deno.writeTextFile(join(sessionsDir, ".lock"), "99999");
    match((await find("locks", toFacts(fixture)))[0]?.detail ?? "", /Process 99999 ended/);
    equal((await find("locks", toFacts(fixture)))[0]?.detail, "Free");
  }));

Deno.test("runDoctor() passes on faults of the configuration, the contract and the seal", () =>
  withStore(async (fixture) => {
    const problem = { code: "config_invalid", message: "line 3", hint: "Correct it." };
    const rows = await runDoctor(toFacts(fixture, {
      seal: createSeal(null),
      readConfig: () =>
        Promise.resolve({
          problems: [problem, { ...problem, code: "config_unknown_key" }],
          overrides: [{ variable: "CODE_INTEL_MAX_CHUNKS", key: "max_chunks" }],
          variables: ["CODE_INTEL_RG"],
          oldDocuments: 2,
        }),
      readContract: () => Promise.resolve({ problems: [problem], notices: ["ignored"] }),
    }));
    const short = rows.filter(({ id }) => ["config", "contract", "seal"].includes(id))
      .map(({ id, status, fix }) =>
        `${id} ${status} ${fix === null ? undefined : String(fix).slice(0, 11)}`
      );
    deepEqual(short, [
      "config broken Correct it.",
      "config warn Correct it.",
      "config ok undefined",
      "config ok undefined",
      "config warn doc_researc",
      "contract broken Correct it.",
      "contract warn undefined",
      "seal warn Make the st",
    ]);
  }));

Deno.test("runDoctor() tells whether the verification commands may run", () =>
  withStore(async (fixture) => {
    const rows: readonly (readonly [string, Partial<DoctorFacts>, string, RegExp])[] = [
      ["config", {}, "ok", /can be used$/],
      ["verify", {}, "ok", /^Allowed on this machine: test$/],
      ["verify", toVerify(["test", "lint"]), "warn", /yet: test, lint$/],
      ["verify", toVerify([]), "warn", /No command/],
    ];
    for (const [id, rest, status, detail] of rows) {
      const [row] = await find(id, toFacts(fixture, rest));
      equal(row?.status, status, String(detail));
      match(row?.detail ?? "", detail);
      equal(row?.fix === null, status === "ok");
    }
  }));

function toVerify(names: readonly string[]): Partial<DoctorFacts> {
  const commands = toCommands(names);
  return { readVerify: () => Promise.resolve({ commands, isTrusted: false }) };
}

/** Commands that can start wherever these tests run. */
function toCommands(names: readonly string[]) {
  return names.map((name) => ({ name, run: ["git", "--version"] }));
}

Deno.test("doctor once said that verification is ok where its command cannot start", () =>
  withStore(async (fixture) => {
    const commands = [
      { name: "a", run: ["no-such-program", "run", "pytest"] },
      { name: "b", run: ["git", "version"] },
      { name: "c", run: ["./gradlew", "test"] },
    ];
    const readVerify = () => Promise.resolve({ commands, isTrusted: true });
    const rows = await runDoctor(toFacts(fixture, { readVerify }));
    const told = rows.filter(({ id }) => id === "verify").map(({ status, detail }) =>
      `${status} ${detail}`
    );
    deepEqual(
      told,
      [
        "ok Allowed on this machine: a, b, c",
        '"a" (no-such-program run pytest) cannot start: no-such-program is not on PATH',
        '"c" (./gradlew test) cannot start: ./gradlew is no program of the project',
      ].map((line) => line.startsWith("ok") ? line : `broken ${line}`),
    );
    equal(hasBroken(rows), true);
  }));

Deno.test("runDoctor() goes on when one check fails", () =>
  withStore(async (fixture) => {
    const rows = await runDoctor(
      toFacts(fixture, { readBackends: () => Promise.reject(new Error("no luck")) }),
    );
    deepEqual(rows.find(({ id }) => id === "backends"), {
      id: "backends",
      title: "Search programs",
      status: "broken",
      detail: "no luck",
      fix: null,
    });
    equal(rows.at(-1)?.id, "leftovers");
  }));

Deno.test("runDoctor() shows the size of the index and what it leaves out, by reason", () =>
  withStore(async (fixture) => {
    const readIndex = () =>
      Promise.resolve({
        path: ":memory:",
        sizeBytes: 3 * 1024 * 1024,
        counts: { files: 2, symbols: 7 },
        skipped: [{ path: "a.bin", reason: "binary" }, { path: "b.bin", reason: "binary" }],
        vectors: { done: 1, total: 2, isForAll: true },
        embeddingProcess: null,
      });
    const rows = await find("index", toFacts(fixture, { readIndex }));
    deepEqual(rows.map(({ status, detail }) => [status, detail]), [
      ["ok", "2 files, 7 symbols, 3.0 MB in :memory:"],
      [
        "ok",
        "1 of 2 files have vectors of the model; 1 are left, some are made after the start of a server and after each search by meaning",
      ],
      ["warn", "The index lies in memory: each start builds it again"],
      ["ok", "2 left out, binary: a.bin, b.bin"],
    ]);
  }));

Deno.test("runDoctor() once found no fault with a repository that git cannot open", () =>
  withStore(async (fixture) => {
    await using temp = await createTempRepo();
    await temp.write({ ".git/config": "garbage[\n" });
    const facts = toFacts(fixture, { openRepo: () => openRepository(temp.dir) });
    const rows = await runDoctor(facts);
    const [git] = rows.filter(({ id }) => id === "git");
    equal(git?.status, "broken");
    match(git?.detail ?? "", /bad config line/);
    const [snapshots] = rows.filter(({ id }) => id === "snapshots");
    match(snapshots?.detail ?? "", /for the reason that "git" gives/);
  }));

Deno.test("runDoctor() says which parts of the search by meaning are there, and which questions ask the model", () =>
  withStore(async (fixture) => {
    const tell = async (facts: MeaningFacts) => {
      const rows = await find(
        "meaning",
        toFacts(fixture, { readMeaning: () => Promise.resolve(facts) }),
      );
      return rows.map(({ status, detail }) => `${status} ${detail}`);
    };
    deepEqual(await tell(MEANING), [
      "ok Word vectors are whole",
      "ok Model model-1 is whole; questions in another language ask it (embedding_model)",
      "ok sqlite-vec 1 from /x",
    ]);
    const broken = { ...MODEL, use: "all", modelFault: "it is cut off" } as const;
    deepEqual((await tell({ wordFault: "it is gone", model: broken })).slice(0, 2), [
      "warn Searches answer by words alone: it is gone",
      "warn No question has the model: it is cut off",
    ]);
    deepEqual((await tell({ ...MEANING, model: null })).slice(1), [
      "ok The model is turned off by embedding_model in config.json",
    ]);
  }));
