/**
 * Whole sessions with the real clients, without a person: each starts the server and runs the hooks as `init` set them
 * up, and a scripted model leads it from an edit that came too early to the merge. The clients are taken from PATH, or
 * from the folder that TEST_CLIENTS names; nothing is installed.
 */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import { applySetup, planSetup } from "../../src/project/setup/init.ts";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import type { OtherNeed } from "../support/needs.ts";
import { testNeeding } from "../support/needs.ts";
import type { AgentCall, ScriptedModel, Turn } from "../support/server/scripted_model.ts";
import { startScriptedModel } from "../support/server/scripted_model.ts";
import type { Project } from "../support/session/project.ts";
import { createProject } from "../support/session/project.ts";
import { trustCommand } from "../support/session/trusted_command.ts";

const FOLDER = Deno.env.get("TEST_CLIENTS");
const PATH = [...(FOLDER === undefined ? [] : [FOLDER]), Deno.env.get("PATH") ?? ""].join(
  delimiter,
);
/** A client that hangs is ended; a busy machine takes minutes for a session. */
const LIMIT_MS = 10 * 60_000;

const LOANS =
  "export const DAYS = 14;\n\nexport function lend(book) {\n  return { book, days: DAYS };\n}\n";
const RENEW = "\nexport function renew(loan) {\n  return { ...loan, days: loan.days + DAYS };\n}\n";
const VERIFY = { name: "renews", run: ["grep", "-q", "function renew", "src/loans.js"] };
const QUERY = "Add a renew function to src/loans.js";

/** Where a client runs: its home folder, and what leads it to the model. */
interface Place {
  readonly project: Project;
  readonly home: string;
  readonly model: ScriptedModel;
}

/** One client: its files beside those of `init`, and its command line. */
interface ClientRow {
  readonly program: string;
  readonly title: string;
  /** What `init` sets up; null where it knows the client not. */
  readonly setup: "claude" | "codex" | null;
  readonly prepare: (place: Place) => Promise<void>;
  readonly args: readonly string[];
  readonly env: (model: ScriptedModel) => Readonly<Record<string, string>>;
}

const CLIENTS: readonly ClientRow[] = [
  {
    program: "claude",
    title: "Claude Code",
    setup: "claude",
    // The permission that `init` writes counts in a trusted folder alone.
    prepare: async ({ home, project: { dir } }) => {
      const projects = { [await Deno.realPath(dir)]: { hasTrustDialogAccepted: true } };
      await Deno.writeTextFile(join(home, ".claude.json"), JSON.stringify({ projects }));
    },
    args: ["-p", QUERY, "--allowedTools", "Bash"],
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    }),
  },
  {
    program: "codex",
    title: "Codex",
    setup: "codex",
    prepare: async ({ home, project: { dir }, model: { url } }) => {
      await Deno.mkdir(join(home, ".codex"));
      await Deno.writeTextFile(
        join(home, ".codex/config.toml"),
        `model = "gpt-5.1-codex"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
[projects.${JSON.stringify(await Deno.realPath(dir))}]
trust_level = "trusted"
`,
      );
    },
    args: [
      "exec",
      "--dangerously-bypass-hook-trust",
      "--dangerously-bypass-approvals-and-sandbox",
      QUERY,
    ],
    env: () => ({ SCRIPTED_KEY: "none" }),
  },
  {
    program: "opencode",
    title: "opencode",
    setup: null,
    prepare: async ({ home, model: { url } }) => {
      const folder = join(home, ".config/opencode");
      await Deno.mkdir(folder, { recursive: true });
      const config = {
        model: "scripted/scripted",
        small_model: "scripted/scripted",
        autoupdate: false,
        share: "disabled",
        permission: { "*": "allow" },
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "none" },
            models: { scripted: { name: "scripted" } },
          },
        },
        mcp: { "code-intel": { type: "local", command: ["code-intel", "serve"], enabled: true } },
      };
      await Deno.writeTextFile(join(folder, "opencode.json"), JSON.stringify(config));
    },
    args: ["run", QUERY],
    env: () => ({}),
  },
];

function submit(data: Readonly<Record<string, unknown>>): AgentCall {
  return { tool: "submit_phase", args: { data: { compaction_count: 0, tools_used: [], ...data } } };
}

const quote = { value: "renew", quote: "Add a renew function" };

/** The agent: an edit too early, which it puts back itself, then the whole way. */
const TURNS: readonly Turn[] = [
  () => [{
    tool: "start_session",
    args: { intent: "IMPLEMENT", query: QUERY, flags: { fast: true, no_doc: true } },
  }],
  () => [{ shell: "sed -i.bak 's/14/21/' src/loans.js && rm src/loans.js.bak" }],
  () => [submit({
    change_resolution: [{ path: "src/loans.js", action: "restore", reason: "it came too early" }],
    action_type: "implement",
    slots: {
      target_feature: quote,
      trigger_condition: null,
      observed_issue: null,
      desired_action: { value: "add", quote: "Add a renew function to src/loans.js" },
    },
    target_symbols: ["lend"],
    scope: "src",
    constraints: [],
    summary: "A renewal.",
  })],
  () => [{ tool: "find_definitions", args: { symbol: "lend" } }],
  () => [submit({
    tasks: [{ id: "task_1", description: "Renew", checklist: ["Add renew() to src/loans.js"] }],
    summary: "One task.",
  })],
  () => [{ tool: "check_write_target", args: { file_path: "src/loans.js" } }],
  () => [{ shell: `cat >> src/loans.js <<'END'\n${RENEW}END` }],
  () => [submit({
    task_id: "task_1",
    checklist: [{ item: 1, evidence: "src/loans.js:7-9" }],
    summary: "Done.",
  })],
  () => [submit({ summary: "All there." })],
  () => [
    submit({ passed: true, verifier_used: "grep", failed_tasks: [], details: "", summary: "ok" }),
  ],
  () => [submit({
    reviewed_files: ["src/loans.js"],
    commit_message: "Add a renewal",
    review_prompt_used: "garbage_detection.md",
    summary: "Only the work.",
  })],
  () => [submit({ on_conflict: "resolve", summary: "Merge." })],
];

/** Whether the client can be started here. */
function toNeed({ program, title }: ClientRow): OtherNeed {
  const what = `${title} (${program} on PATH or in TEST_CLIENTS)`;
  try {
    const { success } = new Deno.Command(program, { args: ["--version"], env: { PATH } })
      .outputSync();
    return { what, hindrance: success ? null : "it does not start" };
  } catch {
    return { what, hindrance: "it is not there" };
  }
}

/** Makes the program callable by its name, as where it was installed. */
async function install(home: string, { env }: Project): Promise<string> {
  const folder = join(home, "bin");
  await Deno.mkdir(folder);
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const sets = Object.entries({ ...env, DENO_DIR: cache, CODE_INTEL_SYNC_ON_START: "false" });
  const lines = [
    "#!/bin/sh",
    ...sets.map(([name, value]) => `export ${name}='${value}'`),
    `exec ${SOURCE_COMMAND.map((word) => `'${word}'`).join(" ")} "$@"`,
  ];
  await Deno.writeTextFile(join(folder, "code-intel"), `${lines.join("\n")}\n`, { mode: 0o755 });
  return folder;
}

async function setUp({ setup }: ClientRow, { home, project }: Place): Promise<void> {
  const command = { words: ["code-intel"], isLocal: false };
  const clients = setup === null ? ["claude" as const] : [setup];
  await applySetup(
    await planSetup({ root: project.dir, home, command, clients, choices: {} }),
  );
  const config = JSON.stringify({ verify: [VERIFY] });
  await project.repo.write({ ".code-intel/config.json": config });
  await project.repo.git("add", "-A");
  await project.repo.git("commit", "-qm", "Set up");
  await trustCommand(project, VERIFY);
}

for (const row of CLIENTS) {
  testNeeding(
    ["posix", toNeed(row)],
    `${row.title} without a person goes from an edit that came too early to the merge`,
    async () => {
      await using project = await createProject({ files: { "src/loans.js": LOANS } });
      await using model = startScriptedModel(TURNS);
      const home = await Deno.makeTempDir({ prefix: "code-intel-home-" });
      const place = { project, home, model };
      const bin = await install(home, project);
      await setUp(row, place);
      await row.prepare(place);
      const command = new Deno.Command(row.program, {
        args: [...row.args],
        cwd: project.dir,
        // opencode takes its folder from PWD.
        env: { ...row.env(model), HOME: home, PWD: project.dir, PATH: `${bin}${delimiter}${PATH}` },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const { stdout, stderr } = await command.output();
      const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      const told = [...model.played, ...said].map((text) => text.slice(0, 1_000)).join("\n");
      ok(model.played.length > TURNS.length, told);
      match(model.played[3] ?? "", /restore: src\/loans\.js/, told);
      match(model.played[TURNS.length] ?? "", /merged\W+true/, told);
      equal(await project.repo.git("branch", "--show-current"), "main");
      equal(await project.repo.git("show", "HEAD:src/loans.js"), (LOANS + RENEW).trim());
      match(await project.repo.git("log", "-3", "--format=%B"), /Verified: yes/);
      equal(await project.repo.git("status", "--porcelain"), "");
      await Deno.remove(home, { recursive: true });
    },
  );
}
