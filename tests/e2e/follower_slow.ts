/**
 * A client that follows only the replies gets from the request to the merged commit: what the server says
 * is enough for an agent without memory. The follower has no table of steps (tests/support/session/follower.ts).
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Transport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Connection, ListedTool, Work } from "../support/session/follower.ts";
import { Follower } from "../support/session/follower.ts";
import type { Project } from "../support/session/project.ts";
import { createProject, SAMPLE_EDITS, SAMPLE_FILES } from "../support/session/project.ts";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import { toHostedTransport } from "../support/server/hosted_transport.ts";

const WORK: Work = {
  intent: "MODIFY",
  query: "Refuse an empty name in login and show the greeting in the view",
  feature: "an empty name in login",
  symbol: "login",
  edits: {
    "src/auth.ts": SAMPLE_EDITS["src/auth.ts"] ?? "",
    "src/view.ts":
      "import { login } from './auth.ts';\n\nexport const shown = `Welcome, ${login('a')}`;\n",
  },
  yes: ["passed"],
};
const RULES = "# Rules\n\nNames are never empty.\nThe login is the only door.\n";
const CONFIG = JSON.stringify({
  verify: [{ name: "view", run: ["grep", "-q", "Welcome", "src/view.ts"] }],
});
/** Calls from the start to the merge of one that sends what can be sent together (guessed). */
const MOST_CALLS = 18;
const ERAS = [["2025-11-25", "legacy"], ["2026-07-28", { pin: "2026-07-28" }]] as const;

/** Starts the server in a process of its own, as a client does. */
function startProcess(project: Project): Transport {
  const [command, ...args] = SOURCE_COMMAND;
  return new StdioClientTransport({
    command,
    args: [...args, "serve", "--project", project.dir],
    cwd: project.dir,
    env: { ...Deno.env.toObject(), ...project.env, CODE_INTEL_SYNC_ON_START: "false" },
    stderr: "ignore",
  });
}

/** Connects a client of the SDK; the person behind it agrees to whatever a form asks. */
async function connect(
  project: Project,
  mode: (typeof ERAS)[number][1],
  toTransport: (project: Project) => Transport = toHostedTransport,
) {
  const client = new Client({ name: "follower", version: "1.0.0" }, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode },
  });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    const { properties } = "requestedSchema" in params
      ? params.requestedSchema
      : { properties: {} };
    const content = Object.fromEntries(Object.keys(properties ?? {}).map((name) => [name, true]));
    return { action: "accept", content };
  });
  await client.connect(toTransport(project));
  const connection: Connection = {
    instructions: client.getInstructions() ?? "",
    tools: (await client.listTools()).tools as ListedTool[],
    call: async (name, input) => {
      const { content } = await client.callTool({ name, arguments: input });
      const [part] = content as { readonly text: string }[];
      return JSON.parse(part?.text ?? "null");
    },
  };
  return { connection, asked, close: () => client.close() };
}

async function createFollowed(config: string | null): Promise<Project> {
  const files = { ...SAMPLE_FILES, "docs/rules.md": RULES };
  return await createProject({
    files: config === null ? files : { ...files, ".code-intel/config.json": config },
  });
}

for (const [era, mode] of ERAS) {
  Deno.test(`${era}: the replies alone lead from the request to the merged commit`, async () => {
    await using project = await createFollowed(CONFIG);
    const { repo } = project;
    const before = await repo.git("rev-parse", "HEAD");
    const { connection, asked, close } = await connect(project, mode, startProcess);
    const follower = new Follower(connection, WORK, project.dir);
    const end = await follower.walk();
    deepEqual([end.end, end.to_branch], ["merged", "main"]);
    deepEqual(follower.refusals, []);
    equal(await repo.git("diff", "--name-only", before, "main"), "src/auth.ts\nsrc/view.ts");
    for (const [path, content] of Object.entries(WORK.edits)) equal(await repo.read(path), content);
    match(await repo.git("log", "--no-merges", "-1", "--format=%B"), /^Code-Intel-Verified: yes$/m);
    // The person was asked once: whether the project's command may run.
    equal(asked.length, 1);
    match(asked[0] ?? "", /grep -q Welcome/);
    await close();
  });
}

Deno.test("an agent that sends the sequences of payloads as replies show them merges in few calls", async () => {
  await using project = await createFollowed(CONFIG);
  const { connection, close } = await connect(project, "legacy");
  const follower = new Follower(connection, WORK, project.dir, { isJoining: true });
  const end = await follower.walk();
  deepEqual([end.end, follower.refusals], ["merged", []]);
  ok(follower.calls <= MOST_CALLS, `${follower.calls} calls`);
  await close();
});

Deno.test("the replies alone lead through every step that a session can have", async () => {
  await using project = await createFollowed(null);
  const { connection, close } = await connect(project, "legacy");
  const follower = new Follower(connection, WORK, project.dir);
  const end = await follower.walk({ gate_level: "full" });
  equal(end.end, "merged");
  deepEqual(follower.refusals, []);
  const { phases } = follower;
  for (const phase of ["SEMANTIC", "VERIFICATION", "IMPACT_ANALYSIS", "QUALITY_REVIEW", "MERGE"]) {
    ok(phases.includes(phase), `${phase} is not among ${phases.join(", ")}`);
  }
  await close();
});

Deno.test("the replies alone lead from failed commands to work that passes", async () => {
  // The command passes before the work: one that failed there too, and counts nothing, proves nothing.
  await using project = await createFollowed(JSON.stringify({
    verify: [{ name: "view", run: ["grep", "-q", "login('a')", "src/view.ts"] }],
  }));
  const { connection, close } = await connect(project, "legacy");
  const view = "src/view.ts";
  const wrong =
    "import { login } from './auth.ts';\n\nexport const shown = `Welcome, ${login('')}`;\n";
  const work: Work = {
    ...WORK,
    edits: { ...WORK.edits, [view]: wrong },
    fixes: { [view]: WORK.edits[view] ?? "" },
  };
  const follower = new Follower(connection, work, project.dir);
  const end = await follower.walk({ flags: { fast: true } });
  deepEqual([end.end, follower.refusals], ["merged", []]);
  equal(follower.phases.filter((phase) => phase === "POST_IMPL_VERIFY").length, 2);
  for (const [path, content] of Object.entries(WORK.edits)) {
    equal(await project.repo.git("show", `main:${path}`), content.trim());
  }
  await close();
});

Deno.test("an agent that lost everything is led on from where the work was left", async () => {
  await using project = await createFollowed(null);
  const first = await connect(project, "legacy");
  await new Follower(first.connection, WORK, project.dir).walkTo("READY");
  await first.close();
  const second = await connect(project, { pin: "2026-07-28" });
  const follower = new Follower(second.connection, WORK, project.dir);
  const end = await follower.walkOn();
  deepEqual([end.end, follower.phases[0], follower.refusals], ["merged", "READY", []]);
  for (const [path, content] of Object.entries(WORK.edits)) {
    equal(await project.repo.read(path), content);
  }
  await second.close();
});

Deno.test("the replies alone lead out of a change by hand that no step allows", async () => {
  await using project = await createFollowed(null);
  const { connection, asked, close } = await connect(project, "legacy");
  const follower = new Follower(connection, WORK, project.dir);
  await follower.walkTo("EXPLORATION");
  const hash = await project.repo.read("src/hash.ts");
  await project.repo.write({ "src/hash.ts": "broken\n" });
  const end = await new Follower(connection, WORK, project.dir).walkOn();
  equal(end.end, "merged");
  equal(await project.repo.read("src/hash.ts"), hash);
  // What a snapshot holds is put back without a question.
  equal(asked.length, 0);
  await close();
});

Deno.test("the replies alone lead an investigation to its end, and nothing is written", async () => {
  await using project = await createFollowed(null);
  const before = await project.repo.state();
  const { connection, close } = await connect(project, "legacy");
  const work = { ...WORK, intent: "INVESTIGATE" };
  equal((await new Follower(connection, work, project.dir).walk()).end, "completed");
  equal(await project.repo.state(), before);
  await close();
});
