/** Evidence that was accepted once: when it still stands and when its place is gone. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseRepoPath } from "../../src/base/repo_path.ts";
import { findConflictMarkers, findStaleEvidence } from "../../src/evidence/mod.ts";
import { writeWorktreeTree } from "../../src/git/mod.ts";
import type { Task } from "../../src/phase/mod.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);
const FILES = { "a.ts": LINES.join(""), "b.ts": "b\n", "gone.ts": "gone\n" };
const EDITED = [...LINES.slice(0, 4), "five\n", "six\n", ...LINES.slice(6)].join("");

async function toTree(temp: TempRepo): Promise<string> {
  const sessionId = "session_20260131_142530_9f3a";
  return (await writeWorktreeTree(temp.repo, { sessionId, maxFileMb: 50 })).tree;
}

function toTask(evidence: readonly string[], evidenceTree: string | null): Task {
  return {
    id: "task_1",
    description: "x",
    status: "completed",
    checklist: evidence.map((text) => ({ item: "x", status: "done", evidence: text })),
    failureCount: 0,
    revertReason: null,
    evidenceTree,
  };
}

interface Case {
  readonly name: string;
  readonly evidence: string;
  /** What happens after the report. */
  readonly after: (temp: TempRepo) => Promise<void>;
  readonly isStale: boolean;
}

const CASES: readonly Case[] = [
  { name: "nothing happened", evidence: "a.ts:5-6", after: async () => {}, isStale: false },
  {
    name: "lines came before it",
    evidence: "a.ts:5-6",
    after: (temp) => temp.write({ "a.ts": `new\nnew\nnew\nnew\n${EDITED}` }),
    isStale: false,
  },
  {
    name: "another file changed",
    evidence: "a.ts:5-6",
    after: (temp) => temp.write({ "b.ts": "changed\n" }),
    isStale: false,
  },
  {
    name: "its lines were rewritten",
    evidence: "a.ts:5-6",
    after: (temp) => temp.write({ "a.ts": EDITED.replace("five\nsix", "5\n6") }),
    isStale: false,
  },
  {
    name: "the file went back to the baseline",
    evidence: "a.ts:5-6",
    after: (temp) => temp.write({ "a.ts": FILES["a.ts"] }),
    isStale: true,
  },
  {
    name: "the file was deleted",
    evidence: "a.ts:5-6",
    after: (temp) => temp.remove("a.ts"),
    isStale: true,
  },
  {
    name: "the new file was removed",
    evidence: "new.ts:1",
    after: (temp) => temp.remove("new.ts"),
    isStale: true,
  },
  {
    name: "the deleted file stays deleted",
    evidence: "gone.ts:deleted",
    after: async () => {},
    isStale: false,
  },
  {
    name: "git takes the deletion for a rename",
    evidence: "gone.ts:deleted",
    after: (temp) => temp.write({ "moved.ts": FILES["gone.ts"] }),
    isStale: false,
  },
  {
    name: "the deleted file came back",
    evidence: "gone.ts:deleted",
    after: (temp) => temp.write({ "gone.ts": "gone\n" }),
    isStale: true,
  },
  {
    name: "the deleted file came back with another content",
    evidence: "gone.ts:deleted",
    after: (temp) => temp.write({ "gone.ts": "other\n" }),
    isStale: true,
  },
];

for (const { name, evidence, after, isStale } of CASES) {
  Deno.test(`findStaleEvidence() says ${isStale ? "stale" : "standing"} when ${name}`, async () => {
    await using temp = await createTempRepo({ files: FILES });
    const baselineTree = await toTree(temp);
    await temp.write({ "a.ts": EDITED, "new.ts": "new\n" });
    await temp.remove("gone.ts");
    const task = toTask(["b.ts:skip", evidence], await toTree(temp));
    await after(temp);
    const found = await findStaleEvidence([task], {
      repo: temp.repo,
      toWorktree: (path) => parseRepoPath(temp.dir, path),
      baselineTree,
      currentTree: await toTree(temp),
    });
    deepEqual(found, isStale ? [{ taskId: "task_1", items: [1] }] : []);
  });
}

Deno.test("findStaleEvidence() looks at completed tasks with a tree only", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const tree = await toTree(temp);
  const stale = toTask(["a.ts:1"], tree);
  const found = await findStaleEvidence([
    { ...stale, status: "pending" },
    { ...stale, evidenceTree: null },
    { ...stale, checklist: [{ item: "x", status: "skipped", reason: "not needed here" }] },
    { ...stale, id: "task_2" },
  ], {
    repo: temp.repo,
    toWorktree: (path) => parseRepoPath(temp.dir, path),
    baselineTree: tree,
    currentTree: tree,
  });
  deepEqual(found, [{ taskId: "task_2", items: [0] }]);
});

Deno.test("findConflictMarkers() finds files with both markers at the start of a line", async () => {
  await using temp = await createTempRepo({
    files: {
      "open.ts": "a\n<<<<<<< main\nb\n=======\nc\n>>>>>>> task\n",
      "half.ts": "<<<<<<< main\n",
      "shown.md": "    <<<<<<< main\n    >>>>>>> task\n",
      "done.ts": "a\n",
    },
  });
  const paths = ["open.ts", "half.ts", "shown.md", "done.ts", "gone.ts"];
  deepEqual(await findConflictMarkers(temp.repo, await toTree(temp), paths), ["open.ts"]);
});
