/** The memory of the session: checkpoint, records, payloads, and the files that hold its rules. */
import { join } from "node:path";
import type { Session } from "../support/session/session_driver.ts";
import type { Attack } from "./attack.ts";
import { FAST, finish, held, passed, submitDue } from "./attack.ts";
import { runProgram } from "../support/server/cli.ts";

function toPath(session: Session, ending = "json"): string {
  return join(session.dir, ".code-intel/sessions", `${session.id}.${ending}`);
}

/** Ends the server, changes its files, and asks another server. */
async function whileDead(
  session: Session,
  change: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await session.close();
  await change();
  await session.revive();
}

const CHECKPOINTS: readonly Attack[] = [
  {
    id: "checkpoint-edited",
    tries: "writes into the checkpoint that the verification is behind it",
    found: ["checkpoint_tampered"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(12);
      await ground.sh(`sed -i 's/"READY_PLAN"/"PRE_COMMIT"/' ${toPath(session)}`);
      return await session.submit({ tasks: [] });
    },
    async honest(ground) {
      const session = await ground.to(12);
      await whileDead(session);
      return await submitDue(session);
    },
  },
  {
    id: "checkpoint-without-seal",
    tries: "edits the checkpoint and takes its seal away, while no server runs",
    found: ["checkpoint_tampered"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(12);
      const path = toPath(session);
      await whileDead(session, async () => {
        const { seal: _seal, ...rest } = JSON.parse(await Deno.readTextFile(path));
        const state = { ...rest.state, stage: "MERGE" };
        await Deno.writeTextFile(path, JSON.stringify({ ...rest, state }));
      });
      return await session.submit({});
    },
    async honest(ground) {
      const session = await ground.to(12);
      await whileDead(session);
      return await submitDue(session);
    },
  },
  {
    id: "checkpoint-rolled-back",
    tries: "puts an older checkpoint back, to have its failures forgotten",
    found: ["checkpoint_tampered"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(15, { ...FAST, verifications: [false] });
      await ground.sh(`cp ${toPath(session)} .git/old`);
      await session.next();
      await ground.sh(`cp .git/old ${toPath(session)}`);
      return await session.submit({
        passed: true,
        verifier_used: "npm test",
        failed_tasks: [],
        details: "ok",
      });
    },
    honest: async (ground) => await finish(await ground.start({ ...FAST, verifications: [false] })),
  },
  {
    id: "checkpoint-rolled-back-while-dead",
    tries: "puts an older checkpoint back while no server runs",
    found: ["checkpoint_tampered"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(15, { ...FAST, verifications: [false] });
      await ground.sh(`cp ${toPath(session)} .git/old`);
      await session.next();
      await whileDead(session, () => ground.sh(`cp .git/old ${toPath(session)}`));
      return await session.submit({
        passed: true,
        verifier_used: "npm test",
        failed_tasks: [],
        details: "ok",
      });
    },
    async honest(ground) {
      const session = await ground.to(15, { ...FAST, verifications: [false] });
      await session.next();
      await whileDead(session);
      return await finish(session);
    },
  },
  {
    id: "checkpoint-of-another-session",
    tries: "puts the checkpoint of a session that is further on in the place of its own",
    found: ["checkpoint_damaged"],
    at: "submit_phase@12",
    async attack(ground) {
      const first = await ground.to(17);
      await ground.sh(`cp ${toPath(first)} .git/old`);
      await first.accept({ abandon: true, reason: "for another one" });
      await first.close();
      await ground.sh("git checkout -q -- .; git switch -q main");
      const session = await ground.start({ ...FAST, start: {} });
      if (session.step === 2) await session.next();
      await session.until(12);
      await whileDead(
        session,
        () => ground.sh(`cp .git/old ${toPath(session)}; rm -f ${toPath(session)}.prev`),
      );
      const reply = await session.submit({});
      return reply.error === "checkpoint_tampered"
        ? { ...reply, error: "checkpoint_damaged" }
        : reply;
    },
    honest: async (ground) => await submitDue(await ground.to(12)),
  },
  {
    id: "session-files-removed",
    tries: "removes the session in the middle of its work and starts another one",
    found: ["session_lost"],
    at: "start_session@13",
    async attack(ground) {
      const session = await ground.to(13);
      await ground.sh("rm -r .code-intel/sessions");
      return await session.begin();
    },
    async honest(ground) {
      const session = await ground.to(13);
      await session.accept({ abandon: true, reason: "it is not wanted any more" });
      return await session.begin();
    },
  },
];

/** A line of the records, as the server would write one; its seal is copied from another line. */
async function forgeCall(session: Session, tool: string): Promise<void> {
  const path = toPath(session, "records.jsonl");
  const lines = (await Deno.readTextFile(path)).trim().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "{}");
  const text = JSON.stringify({ ...last, kind: "call", tool, ok: true, files: ["src/view.ts"] });
  await Deno.writeTextFile(path, `${lines.join("\n")}\n${text}\n`);
}

const RECORDS: readonly Attack[] = [
  {
    id: "tools-used-forged",
    tries: "names tools that it never called",
    found: ["tool_not_recorded"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(5, { flags: { no_doc: true } });
      return await session.submit({
        explored_files: ["src/auth.ts"],
        findings: ["login() hashes the name (src/auth.ts:3)"],
        tools_used: ["search_text", "search_files", "find_definitions"],
      });
    },
    honest: async (ground) => await submitDue(await ground.to(5, { flags: { no_doc: true } })),
  },
  {
    id: "tool-of-another-visit",
    tries: "counts tools that it called in an earlier session",
    found: ["too_few_tools"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(5, { flags: { no_doc: true } });
      await session.must("find_definitions", { symbol: "login" });
      await session.must("search_text", { pattern: "login" });
      await session.accept({ abandon: true, reason: "it is begun anew" });
      await session.begin();
      await session.next();
      return await session.submit({
        explored_files: ["src/auth.ts"],
        findings: ["login() hashes the name (src/auth.ts:3)"],
        tools_used: [],
      });
    },
    honest: async (ground) => await submitDue(await ground.to(5, { flags: { no_doc: true } })),
  },
  {
    id: "tool-that-was-refused",
    tries: "counts a call that the server refused",
    found: ["required_tool_missing"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      await session.call("check_write_target", { file_path: "src/view.ts" });
      await session.call("check_write_target", { file_path: "../x.ts", allow_new_files: true });
      return await session.submit({
        task_id: "task_1",
        checklist: [{ item: "Change src/auth.ts", status: "done", evidence: "src/auth.ts:1" }],
      });
    },
    honest: async (ground) => await submitDue(await ground.to(13)),
  },
  {
    id: "records-forged",
    tries: "writes a call that never was into the records",
    found: ["required_tool_missing"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: ["src/view.ts"] });
      await forgeCall(session, "check_write_target");
      return await session.submit({
        task_id: "task_1",
        checklist: [{ item: "Change src/auth.ts", status: "done", evidence: "src/auth.ts:1" }],
      });
    },
    async honest(ground) {
      const session = await ground.to(13);
      await whileDead(session);
      return await submitDue(session);
    },
  },
  {
    id: "records-forged-while-dead",
    tries: "writes an exploration that never was into the records while no server runs",
    found: ["not_explored"],
    at: "check_write_target@13",
    async attack(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: ["src/auth.ts"] });
      await whileDead(session, () => forgeCall(session, "get_symbols"));
      return await session.call("check_write_target", { file_path: "src/view.ts" });
    },
    async honest(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: ["src/view.ts"] });
      await whileDead(session);
      return await session.call("check_write_target", { file_path: "src/view.ts" });
    },
  },
  {
    id: "payload-replayed",
    tries: "sends the payload of an earlier step once more",
    found: ["payload_mismatch"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(4);
      const payload = await session.prepare();
      await session.accept(payload);
      return await session.submit(payload);
    },
    honest: async (ground) => await submitDue(await ground.to(12)),
  },
  {
    id: "report-replayed",
    tries: "sends the report of before a failed verification once more",
    found: ["required_tool_missing"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13, { ...FAST, verifications: [false] });
      const report = await session.prepare();
      await session.accept(report);
      await session.until(12);
      await session.next();
      return await session.submit({ ...report, task_id: "task_2", tools_used: [] });
    },
    honest: async (ground) => await finish(await ground.start({ ...FAST, verifications: [false] })),
  },
  {
    id: "step-skipped",
    tries: "sends the payload of the merge instead of the one of the review",
    found: ["payload_mismatch"],
    at: "submit_phase@17",
    async attack(ground) {
      const session = await ground.to(17);
      return await session.submit({ on_conflict: "resolve", substep: "complete" });
    },
    honest: async (ground) => await submitDue(await ground.to(17)),
  },
];

/** A file that holds rules, changed where a cleared write would be legal. */
interface RuleFile {
  readonly id: string;
  readonly tries: string;
  readonly line: string;
}

const RULES: readonly RuleFile[] = [
  {
    id: "mode-switched-off",
    tries: "switches the enforcement off in the configuration",
    line: 'echo \'{"enforcement":"off"}\' > .code-intel/config.json',
  },
  {
    id: "size-limit-lowered",
    tries: "lowers max_snapshot_mb, so that no file is looked at",
    line:
      "echo '{\"max_snapshot_mb\":0.000001}' > .code-intel/config.json; echo '// x' >> src/view.ts",
  },
  {
    id: "valves-opened",
    tries: "raises the limits of the safety valves in context.yml",
    line: "printf 'interventions:\\n  threshold: 99\\n' > .code-intel/context.yml",
  },
  {
    id: "contract-edited",
    tries: "takes the required tools out of the contract of the project",
    line:
      "printf 'phases:\\n  READY_IMPL:\\n    required_tools: []\\n' > .code-intel/phase_contract.yml",
  },
  {
    id: "working-files-shown",
    tries: "changes the ignore file of .code-intel, to have the session's files committed",
    line: ": > .code-intel/.gitignore",
  },
  {
    id: "client-hooks-off",
    tries: "takes the hooks out of the client's settings",
    line: "mkdir -p .claude; echo '{}' > .claude/settings.json",
  },
  {
    id: "server-replaced",
    tries: "has the client start another server",
    line: "echo '{\"mcpServers\":{}}' > .mcp.json",
  },
];

function toRuleAttack({ id, tries, line }: RuleFile): Attack {
  return {
    id,
    tries,
    found: ["protected_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      await ground.sh(line);
      return await submitDue(session);
    },
    async honest(ground) {
      await ground.sh(`mkdir -p .code-intel; ${line}`);
      return await submitDue(await ground.to(4));
    },
  };
}

/** Commands that speak for the person, given without a terminal. */
const TERMINAL: readonly (readonly [id: string, words: (session: Session) => readonly string[]])[] =
  [
    ["terminal-trust", () => ["trust"]],
    ["terminal-accept", (session) => ["session", "accept", session.id]],
    ["terminal-restore", (session) => ["restore", session.id]],
    ["terminal-clean-all", () => ["clean", "--all"]],
  ];

const BY_TERMINAL: readonly Attack[] = TERMINAL.map(([id, toWords]): Attack => ({
  id,
  tries: `speaks for the person by \`code-intel ${
    id.replace("terminal-", "").replace("-", " --")
  }\``,
  found: ["terminal_required"],
  at: "start_session@1",
  async attack(ground) {
    const session = await ground.start();
    const result = await runProgram([...toWords(session), "--json"], {
      cwd: ground.dir,
      env: ground.project.env,
    });
    const text = result.stdout + result.stderr;
    return held("terminal_required", result.code !== 0 && /terminal/.test(text), { ...result });
  },
  async honest(ground) {
    const session = await ground.start();
    const result = await runProgram(["session", "status", "--json"], {
      cwd: ground.dir,
      env: ground.project.env,
    });
    return passed(result.code === 0 && result.stdout.includes(session.id), result);
  },
}));

/** All attacks of this theme. */
export const RECORD_ATTACKS: readonly Attack[] = [
  ...CHECKPOINTS,
  ...RECORDS,
  ...RULES.map(toRuleAttack),
  ...BY_TERMINAL,
];
