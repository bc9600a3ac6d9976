/** Evidence of a report against real trees: what git says changed, for files of every shape. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import type { EvidenceInput } from "../../src/evidence/mod.ts";
import { checkEvidence } from "../../src/evidence/mod.ts";
import { parseRepoPath } from "../../src/base/repo_path.ts";
import { writeWorktreeTree } from "../../src/git/mod.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const SESSION = "session_20260131_142530_9f3a";

function toLines(count: number, end = "\n"): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}${end}`).join("");
}

const FILES: Readonly<Record<string, string>> = {
  "src/a.ts": toLines(20),
  "src/a b.ts": toLines(3),
  "app/[id].tsx": toLines(3),
  "Makefile": "all:\n\techo\n",
  "a:3.ts": toLines(8),
  "src/ログイン.ts": toLines(3),
  "crlf.txt": toLines(5, "\r\n"),
  "bare.txt": "one\ntwo",
  "empty.txt": "",
  "emptied.txt": toLines(3),
  "gone.ts": "gone\n",
  "old_name.ts": toLines(30),
  "run.sh": "#!/bin/sh\n",
  "removed_mid.ts": toLines(10),
  "same.ts": toLines(4),
  "pixel.bin": "\u0000\u0001",
};

async function edit(temp: TempRepo): Promise<void> {
  const change = async (path: string, from: string, to: string) => {
    const text = await temp.read(path);
    await temp.write({ [path]: text.replace(from, to) });
  };
  await change("src/a.ts", "line 5\nline 6\n", "five\nsix\n");
  await change("src/a b.ts", "line 2", "two");
  await change("app/[id].tsx", "line 2", "two");
  await change("Makefile", "echo", "true");
  await change("a:3.ts", "line 5", "five");
  await change("src/ログイン.ts", "line 2", "二");
  await change("crlf.txt", "line 3\r\n", "three\r\n");
  await change("bare.txt", "two", "zwei");
  await change("removed_mid.ts", "line 5\n", "");
  await temp.write({
    "emptied.txt": "",
    "new.ts": "new\n",
    "new_empty.py": "",
    "pixel.bin": "\u0000\u0002",
    "new.bin": "\u0000",
  });
  await temp.remove("gone.ts");
  await temp.git("mv", "old_name.ts", "new_name.ts");
  await Deno.chmod(join(temp.dir, "run.sh"), 0o755);
}

async function toInput(temp: TempRepo, baselineTree: string): Promise<EvidenceInput> {
  const options = { sessionId: SESSION, maxFileMb: 50 };
  const { tree } = await writeWorktreeTree(temp.repo, options);
  return {
    repo: temp.repo,
    toWorktree: (path) => parseRepoPath(temp.dir, path),
    toAbsolute: (path) => join(temp.dir, path),
    baselineTree,
    currentTree: tree,
  };
}

/** Evidence and the code that it gets; null where it stands. */
const CASES: readonly (readonly [string, string | null])[] = [
  ["src/a.ts:5-6", null],
  ["./src/a.ts:6", null],
  ["src/../src/a.ts:5", null],
  ["src/a.ts:4", "checklist_evidence_not_changed"],
  ["src/a.ts:7-20", "checklist_evidence_not_changed"],
  ["src/a.ts:21", "checklist_evidence_line_out_of_range"],
  ["src/a.ts:0", "checklist_evidence_line_out_of_range"],
  ["src/a.ts:6-5", "checklist_evidence_line_out_of_range"],
  ["src/a b.ts:2", null],
  ["app/[id].tsx:2", null],
  ["Makefile:2", null],
  ["a:3.ts:5", null],
  ["a:3.ts:4", "checklist_evidence_not_changed"],
  ["src/ログイン.ts:2", null],
  ["crlf.txt:3", null],
  ["crlf.txt:2", "checklist_evidence_not_changed"],
  ["crlf.txt:6", "checklist_evidence_line_out_of_range"],
  ["bare.txt:2", null],
  ["bare.txt:1", "checklist_evidence_not_changed"],
  ["bare.txt:3", "checklist_evidence_line_out_of_range"],
  ["removed_mid.ts:4", null],
  ["removed_mid.ts:5", null],
  ["removed_mid.ts:9", "checklist_evidence_not_changed"],
  ["emptied.txt:1", null],
  ["new.ts:1", null],
  ["new_empty.py:1", null],
  ["empty.txt:1", "checklist_evidence_not_changed"],
  ["same.ts:1", "checklist_evidence_not_changed"],
  ["gone.ts:deleted", null],
  ["gone.ts:1", "checklist_evidence_file_not_found"],
  ["never.ts:deleted", "checklist_evidence_not_changed"],
  ["never.ts:1", "checklist_evidence_file_not_found"],
  ["new_name.ts:renamed", null],
  ["old_name.ts:deleted", null],
  ["new_name.ts:1", "checklist_evidence_not_changed"],
  ["src/a.ts:renamed", "checklist_evidence_not_changed"],
  ["run.sh:mode", null],
  ["run.sh:1", "checklist_evidence_not_changed"],
  ["pixel.bin:binary", null],
  ["pixel.bin:1", "checklist_evidence_binary"],
  ["new.bin:binary", null],
  ["src/a.ts:binary", "checklist_evidence_not_changed"],
  ["src/a.ts", "checklist_evidence_format_invalid"],
  ["src/a.ts:five", "checklist_evidence_format_invalid"],
  ["../up.ts:1", "path_outside"],
  ["/etc/passwd:1", "path_outside"],
  ["src/a.ts\0:1", "path_invalid"],
  ["src:1", "checklist_evidence_file_not_found"],
];

Deno.test("checkEvidence() judges each form on real changes, all of them at once", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const baseline = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await edit(temp);
  const input = await toInput(temp, baseline.tree);
  const wrong: string[] = [];
  for (const [evidence, expected] of CASES) {
    const problems = await checkEvidence(input, [{ item: "x", status: "done", evidence }]);
    const found = problems.map(({ code }) => code).join();
    if (found !== (expected ?? "")) wrong.push(`${evidence}: ${found} instead of ${expected}`);
    for (const { at, hint } of problems) {
      if (at !== "data.checklist[0].evidence" || hint === undefined) wrong.push(`${evidence}: at`);
    }
  }
  deepEqual(wrong, []);
  const all = await checkEvidence(
    input,
    CASES.filter(([text]) => text !== "./src/a.ts:6" && text !== "src/../src/a.ts:5")
      .map(([evidence]) => ({ item: "x", status: "done", evidence })),
  );
  deepEqual(all.length, CASES.filter(([, expected]) => expected !== null).length);
});

Deno.test("checkEvidence() takes only done items, and asks the same place of no two of them", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const baseline = await writeWorktreeTree(temp.repo, { sessionId: SESSION, maxFileMb: 50 });
  await edit(temp);
  const input = await toInput(temp, baseline.tree);
  const toCodes = async (...items: readonly (readonly [string, string | null])[]) => {
    const checklist = items.map(([status, evidence]) => ({ item: "x", status, evidence }));
    return (await checkEvidence(input, checklist)).map(({ code, at }) => `${code} ${at}`);
  };
  deepEqual(await toCodes(["skipped", "never.ts:1"], ["pending", "x"], ["done", null]), []);
  deepEqual(await toCodes(["done", "src/a.ts:5"], ["done", "src/a.ts:6"]), []);
  const repeated = ["checklist_evidence_repeated data.checklist[1].evidence"];
  const same: readonly (readonly [string, string])[] = [
    ["src/a.ts:5-6", "src/a.ts:5-6"],
    ["src/a.ts:5", "src/a.ts:5-5"],
    ["src/a.ts:5", "src/a.ts:05"],
    ["src/a.ts:5", "./src/a.ts:5"],
    ["src/a.ts:5", join(temp.dir, "src/a.ts:5")],
    ["run.sh:mode", "src/../run.sh:mode"],
  ];
  for (const [one, other] of same) {
    deepEqual(await toCodes(["done", one], ["done", other]), repeated, other);
  }
});

Deno.test("checkEvidence() checks place and length where there is no git", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(join(dir, "a.ts"), toLines(3));
  await Deno.writeTextFile(join(dir, "empty.ts"), "");
  const input: EvidenceInput = {
    repo: null,
    toWorktree: (path) => parseRepoPath(dir, path),
    toAbsolute: (path) => join(dir, path),
    baselineTree: null,
    currentTree: null,
  };
  const expected: Readonly<Record<string, string>> = {
    "a.ts:1-3": "",
    "a.ts:4": "checklist_evidence_line_out_of_range",
    "empty.ts:1": "",
    "no.ts:1": "checklist_evidence_file_not_found",
    "no.ts:deleted": "",
    "a.ts:deleted": "checklist_evidence_not_changed",
    "../a.ts:1": "path_outside",
  };
  const found: Record<string, string> = {};
  for (const evidence of Object.keys(expected)) {
    const problems = await checkEvidence(input, [{ item: "x", status: "done", evidence }]);
    found[evidence] = problems.map(({ code }) => code).join();
  }
  deepEqual(found, expected);
  await Deno.remove(dir, { recursive: true });
});
