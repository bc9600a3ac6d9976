/** Evidence that was accepted once: where it is later, and when its place is gone. */
import { join } from "node:path";
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseRepoPath } from "../../src/base/repo_path.ts";
import type { CarryInput } from "../../src/evidence/carry.ts";
import { carryEvidence } from "../../src/evidence/carry.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import type { Task } from "../../src/phase/tasks.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const LINES = Array.from({ length: 20 }, (_, at) => `const line${at + 1} = ${at + 1};\n`);
const FILES = {
  "a.ts": LINES.join(""),
  "b.ts": "b\n",
  "gone.ts": "gone\n",
  "old.ts": LINES.join("").replaceAll("line", "old"),
  "run.sh": "echo\n",
  "pic.bin": "\0\x01",
};
const EDITED = [
  ...LINES.slice(0, 4),
  "const five = run(5);\n",
  "const six = run(6);\n",
  ...LINES.slice(6, 14),
  ...LINES.slice(15),
].join("");
const MOVED = FILES["old.ts"].replace("const old3 = 3;", "const third = 3;");

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

function toInput(temp: TempRepo, baselineTree: string, currentTree: string): CarryInput {
  return {
    trees: createTrees(temp.repo),
    toWorktree: (path) => parseRepoPath(temp.dir, path),
    toProject: (path) => path as string,
    toAbsolute: (path) => join(temp.dir, path),
    baselineTree,
    currentTree,
  };
}

interface Case {
  readonly when: string;
  readonly evidence: string;
  /** What happens after the report. */
  readonly after: (temp: TempRepo) => Promise<void>;
  /** The evidence afterwards; null when it is gone. */
  readonly expected: string | null;
}

const write = (files: Readonly<Record<string, string>>) => (temp: TempRepo) => temp.write(files);
const move = (from: string, to: string, text?: string) => async (temp: TempRepo) => {
  await temp.write({ [to]: text ?? await temp.read(from) });
  await temp.remove(from);
};

const CASES: readonly Case[] = [
  {
    when: "lines came in above several ranges",
    evidence: "a.ts:5, 6",
    after: write({ "a.ts": `// top\n${EDITED}` }),
    expected: "a.ts:6,7",
  },
  {
    when: "one of several ranges is gone",
    evidence: "a.ts:5,6",
    after: write({ "a.ts": EDITED.replace("const six = run(6);\n", "") }),
    expected: null,
  },
  {
    when: "another file changed",
    evidence: "a.ts:5-6",
    after: write({ "b.ts": "changed\n" }),
    expected: "a.ts:5-6",
  },
  {
    when: "lines came before it",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": `new\nnew\nnew\nnew\n${EDITED}` }),
    expected: "a.ts:9-10",
  },
  {
    when: "lines before it went out",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": EDITED.replace(LINES[0] ?? "", "") }),
    expected: "a.ts:4-5",
  },
  {
    when: "its lines were rewritten",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": EDITED.replace("run(5)", "go(5)").replace("run(6)", "go(6)") }),
    expected: "a.ts:5-6",
  },
  {
    when: "one of its lines was taken out",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": EDITED.replace("const six = run(6);\n", "") }),
    expected: "a.ts:5",
  },
  {
    when: "its lines were taken out and the rest of the work was kept",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": EDITED.replace(/const (?:five|six).*\n/g, "") }),
    expected: null,
  },
  {
    when: "its lines were rewritten as the mark of unfinished work",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": EDITED.replace(/const five.*\nconst six.*\n/, "// TODO\n") }),
    expected: null,
  },
  {
    when: "only old neighbours of it are left",
    evidence: "a.ts:3-6",
    after: write({ "a.ts": LINES.join("").replace(/const line(?:5|6) .*\n/g, "") + "x();\n" }),
    expected: "a.ts:3-4",
  },
  {
    when: "its lines went back to what they were, and other work stayed",
    evidence: "a.ts:4-6",
    after: write({ "a.ts": [...LINES.slice(0, 14), ...LINES.slice(15)].join("") }),
    expected: null,
  },
  {
    when: "the removal that it shows stayed",
    evidence: "a.ts:14-15",
    after: write({ "a.ts": `first\n${EDITED}` }),
    expected: "a.ts:15-16",
  },
  {
    when: "the removal that it shows was undone",
    evidence: "a.ts:14-15",
    after: write({ "a.ts": EDITED.replace("const line16", "const line15 = 15;\nconst line16") }),
    expected: null,
  },
  {
    when: "the file went back to the baseline",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": FILES["a.ts"] }),
    expected: null,
  },
  {
    when: "the file was deleted",
    evidence: "a.ts:5-6",
    after: (temp) => temp.remove("a.ts"),
    expected: null,
  },
  {
    when: "the file was renamed and lines came before it",
    evidence: "a.ts:5-6",
    after: move("a.ts", "deep/c.ts", `new\n${EDITED}`),
    expected: "deep/c.ts:6-7",
  },
  {
    when: "the file became binary",
    evidence: "a.ts:5-6",
    after: write({ "a.ts": `${EDITED}\0` }),
    expected: null,
  },
  {
    when: "the new file was removed",
    evidence: "new.ts:1",
    after: (temp) => temp.remove("new.ts"),
    expected: null,
  },
  {
    when: "git takes the deletion for a rename",
    evidence: "gone.ts:deleted",
    after: write({ "moved.ts": FILES["gone.ts"] }),
    expected: "gone.ts:deleted",
  },
  {
    when: "the deleted file came back",
    evidence: "gone.ts:deleted",
    after: write({ "gone.ts": "gone\n" }),
    expected: null,
  },
  {
    when: "the deleted file came back with another content",
    evidence: "gone.ts:deleted",
    after: write({ "gone.ts": "other\n" }),
    expected: null,
  },
  {
    when: "the renamed file was renamed again",
    evidence: "kept.ts:renamed",
    after: move("kept.ts", "final.ts"),
    expected: "final.ts:renamed",
  },
  {
    when: "the renamed file was edited until git sees no rename",
    evidence: "kept.ts:renamed",
    after: write({ "kept.ts": `${MOVED.slice(0, 260)}${"entirely other\n".repeat(15)}` }),
    expected: "kept.ts:renamed",
  },
  {
    when: "the renamed file has its old name again",
    evidence: "kept.ts:renamed",
    after: move("kept.ts", "old.ts"),
    expected: null,
  },
  {
    when: "the old name is there again beside the new one",
    evidence: "kept.ts:renamed",
    after: write({ "old.ts": FILES["old.ts"] }),
    expected: null,
  },
  {
    when: "the file with another mode was edited",
    evidence: "run.sh:mode",
    after: write({ "run.sh": "echo 2\n" }),
    expected: "run.sh:mode",
  },
  {
    when: "the mode went back",
    evidence: "run.sh:mode",
    after: async (temp) => {
      await temp.write({ "run.sh": "echo 2\n" });
      await Deno.chmod(join(temp.dir, "run.sh"), 0o644);
    },
    expected: null,
  },
  {
    when: "the binary file changed again",
    evidence: "pic.bin:binary",
    after: write({ "pic.bin": "\0\x03" }),
    expected: "pic.bin:binary",
  },
  {
    when: "the binary file went back to the baseline",
    evidence: "pic.bin:binary",
    after: write({ "pic.bin": FILES["pic.bin"] }),
    expected: null,
  },
];

Deno.test("carryEvidence() follows evidence of each kind", async (test) => {
  await using temp = await createTempRepo({ files: FILES });
  const baselineTree = await toTree(temp);
  await temp.write({ "a.ts": EDITED, "new.ts": "new();\n", "kept.ts": MOVED, "pic.bin": "\0\x02" });
  await temp.remove("gone.ts", "old.ts");
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
  await temp.commit("Reported");
  const reported = await toTree(temp);
  for (const { when, evidence, after, expected } of CASES) {
    await test.step(`${expected ?? "gone"} of ${evidence} when ${when}`, async () => {
      const task = toTask(["no place", evidence], reported);
      await after(temp);
      const tree = await toTree(temp);
      const found = await carryEvidence([task], toInput(temp, baselineTree, tree));
      const items = expected === null ? [] : [{ index: 1, evidence: expected }];
      deepEqual(found, {
        carried: [{ taskId: "task_1", tree, items }],
        stale: expected === null ? [{ taskId: "task_1", items: [1] }] : [],
      });
    });
    await temp.git("reset", "-q", "--hard");
    await temp.git("clean", "-fdq");
  }
});

Deno.test("carryEvidence() looks at completed tasks of another tree only, each from its own", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const baseline = await toTree(temp);
  await temp.write({ "a.ts": EDITED });
  const first = await toTree(temp);
  await temp.write({ "a.ts": `new();\n${EDITED}` });
  const second = await toTree(temp);
  await temp.write({ "a.ts": `newer();\nnew();\n${EDITED}` });
  const tree = await toTree(temp);
  const task = toTask(["a.ts:5-6"], first);
  const input = toInput(temp, baseline, tree);
  const found = await carryEvidence([
    { ...task, id: "task_2", status: "pending" },
    { ...task, id: "task_3", evidenceTree: null },
    { ...task, id: "task_4", evidenceTree: tree },
    { ...task, id: "task_5", checklist: [{ item: "x", status: "skipped", reason: "not needed" }] },
    { ...toTask(["a.ts:1"], second), id: "task_6" },
    task,
  ], input);
  deepEqual(found, {
    stale: [],
    carried: [
      { taskId: "task_5", tree, items: [] },
      { taskId: "task_6", tree, items: [{ index: 0, evidence: "a.ts:2" }] },
      { taskId: "task_1", tree, items: [{ index: 0, evidence: "a.ts:7-8" }] },
    ],
  });
  const nothing = { carried: [], stale: [] };
  deepEqual(await carryEvidence([task], { ...input, trees: null }), nothing);
});
