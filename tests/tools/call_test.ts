/** The pipeline of every call on a real project: permission, record, failure, cancellation, budget. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { lazyObject } from "../../src/base/lazy.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { CallOptions } from "../../src/tools/call.ts";
import { callTool } from "../../src/tools/call.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createServices } from "../../src/services/services.ts";
import { createTempRepo } from "../support/temp_repo.ts";

interface Bench {
  readonly services: Services;
  // deno-lint-ignore no-explicit-any -- replies are read freely
  readonly call: (name: string, raw: unknown, options?: Partial<CallOptions>) => Promise<any>;
  /** Tools on record of the session, in order. */
  readonly recorded: (sessionId: string) => Promise<readonly string[]>;
}

const STATE_DIR = await Deno.makeTempDir();
const FILES = { "src/a.ts": "export function login() {}\nlogin();\n" };

/** Services with another search in them. */
function withSearch(services: Services, searchText: Services["explorer"]["searchText"]) {
  const explorer = lazyObject(() => Promise.resolve(services.explorer), { searchText });
  return () => Promise.resolve({ ...services, explorer });
}

async function setUp(files: Readonly<Record<string, string>> = FILES): Promise<Bench> {
  const { dir } = await createTempRepo({ files });
  const services = await createServices({
    projectDir: dir,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: TOOLS.map(({ name }) => name),
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? STATE_DIR : Deno.env.get(name),
  });
  const defaults: CallOptions = {
    loadServices: () => Promise.resolve(services),
    signal: new AbortController().signal,
    via: "mcp",
    logger: SILENT_LOGGER,
  };
  return {
    services,
    call: (name, raw, options = {}) => callTool(name, raw, { ...defaults, ...options }),
    recorded: async (id) => {
      const { records } = await services.sessions.readRecords(id);
      // The server's own look at the code is none of these.
      return records.flatMap((record) =>
        record.kind === "call" && record.via !== "server" ? [record.tool] : []
      );
    },
  };
}

const START = { intent: "INVESTIGATE", query: "how does login work", flags: { no_doc: true } };

Deno.test("callTool() lets every tool run without a session and records nothing", async () => {
  const { call, services } = await setUp();
  const reply = await call("search_text", { pattern: "login" });
  equal(reply.ok, true);
  equal(reply.total, 2);
  deepEqual(await services.sessions.loadAll(), []);
});

Deno.test("callTool() records a call after permission only (R16: blocked calls counted)", async () => {
  const { call, recorded } = await setUp();
  const started = await call("start_session", START);
  equal(started.phase, "QUERY_FRAME", JSON.stringify(started));
  const blocked = await call("review_changes", {});
  equal(blocked.ok, false);
  equal(blocked.error, "phase_blocked");
  equal((await call("search_text", { pattern: "login" })).ok, true);
  equal((await call("search_text", { pattern: 5 })).error, "invalid_arguments");
  await call("get_session_status", {});
  deepEqual(await recorded(started.session_id), ["search_text"]);
});

Deno.test("callTool() puts the compaction count into every reply of a session, refused ones too", async () => {
  const { call, services } = await setUp({ "big.txt": `${"login ".repeat(30)}\n`.repeat(3000) });
  const calls: readonly (readonly [string, unknown])[] = [
    ["search_text", { pattern: "login", max_bytes: 1024 }],
    ["search_text", { pattern: 5 }],
    ["start_session", { intent: "NONE" }],
    ["get_session_status", { repo_path: "/" }],
    ["no_such_tool", {}],
    ["update_context", { extra_notes: "x" }],
    ["check_write_target", { file_path: "big.txt" }],
    ["find_definitions", { symbol: "login" }],
  ];
  for (const [tool, args] of calls.slice(0, 5)) {
    equal((await call(tool, args)).compaction_count, undefined, `${tool} without a session`);
  }
  await call("start_session", START);
  await call("submit_phase", { data: { compaction_count: 3 } });
  for (const [tool, args] of calls) {
    const reply = await call(tool, args);
    equal(reply.compaction_count, 3, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(reply)}`);
  }
  const reply = await call("search_text", { pattern: "login", max_bytes: 1024 });
  ok(new TextEncoder().encode(JSON.stringify(reply)).length <= 1024);
  equal(reply.total, 3000);
  const loadServices = withSearch(services, () => Promise.reject(new Error("inner")));
  equal((await call("search_text", { pattern: "x" }, { loadServices })).compaction_count, 3);
});

Deno.test("callTool() tells what is wrong with a session's file in the answer that loads it first, once", async () => {
  for (const first of ["search_text", "get_session_status", "no_such_tool", "submit_phase"]) {
    const { call, services } = await setUp();
    const { session_id: id } = await call("start_session", START);
    const { projectRoot } = services.parts;
    const path = join(projectRoot, ".code-intel/sessions", `${id}.json`);
    const { seal: _, ...rest } = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify(rest));
    // Another home, which neither saved the session nor has its key.
    const elsewhere = await Deno.makeTempDir();
    const moved = await createServices({
      projectDir: projectRoot,
      analyser: OWN_THREAD,
      logger: SILENT_LOGGER,
      offered: TOOLS.map(({ name }) => name),
      get: (name) => name === "CODE_INTEL_STATE_DIR" ? elsewhere : Deno.env.get(name),
    });
    const loadServices = () => Promise.resolve(moved);
    const args = { search_text: { pattern: "login" }, submit_phase: { data: {} } }[first] ?? {};
    const hook = JSON.parse(await moved.workflow.hooks.brief(5_000) ?? "{}");
    match(hook.notices[0], /seal of session/);
    const told = await call(first, args, { loadServices });
    deepEqual(
      (told.notices ?? []).filter((text: string) => /seal of session/.test(text)).length,
      1,
      `${first}: ${JSON.stringify(told)}`,
    );
    const status = await call("get_session_status", {}, { loadServices });
    equal(status.notices, undefined, "the same cause is not told twice");
    match(status.brief.notices[0], /seal of session/);
    match(
      (await call("search_text", { pattern: "login" }, { loadServices })).notices?.[0] ?? "",
      /^$/,
    );
    const { records } = await moved.sessions.readRecords(id);
    const noted = records.filter((record) =>
      record.kind === "note" && record.code === "seal_unchecked" && record.told !== false
    );
    equal(noted.length, 1, "the report has it too, and that a reply told it");
  }
});

Deno.test("callTool() lets a command line submit beside the conversation, whose count stays", async () => {
  const { call } = await setUp();
  await call("start_session", START);
  const submit = (data: unknown, via: "mcp" | "cli") => call("submit_phase", { data }, { via });
  equal((await submit({ compaction_count: 2 }, "mcp")).compaction_count, 2);
  const aside = await submit({ slots: null }, "cli");
  deepEqual([aside.compaction_count, aside.phase_summaries], [2, undefined]);
  equal((await submit({ compaction_count: 2 }, "mcp")).phase_summaries, undefined);
  const lost = await submit({ slots: null }, "mcp");
  equal(lost.compaction_count, 3, "the agent itself lost its count");
  ok(lost.phase_summaries !== undefined);
});

Deno.test("callTool() keeps what was shown, the arguments' hash and who called on record", async () => {
  const { call, services } = await setUp();
  const { session_id } = await call("start_session", START);
  await call("search_text", { pattern: "login" }, { via: "cli" });
  await call("search_text", { path: ".", pattern: "login" }, { via: "cli" });
  const { records } = await services.sessions.readRecords(session_id);
  const calls = records.flatMap((record) =>
    record.kind === "call" && record.via !== "server" ? [record] : []
  );
  equal(calls[0]?.subject, "login");
  equal(calls[0]?.via, "cli");
  equal(calls[0]?.total, 2);
  deepEqual(calls[0]?.files, ["src/a.ts"]);
  match(calls[0]?.argsHash ?? "", /^[0-9a-f]{16}$/);
  ok(calls[0]?.argsHash !== calls[1]?.argsHash);
});

Deno.test("callTool() answers a bug of a tool with an incident; the stack goes to the log", async () => {
  const { call, services } = await setUp();
  const notes: string[] = [];
  const loadServices = withSearch(services, () => Promise.reject(new Error("inner detail")));
  const reply = await call("search_text", { pattern: "x" }, {
    loadServices,
    logger: { note: (line) => void notes.push(line) },
  });
  equal(reply.error, "internal_error");
  equal(JSON.stringify(reply).includes("inner detail"), false);
  match(notes.join("\n"), /inner detail/);
});

Deno.test("callTool() answers a cancelled call at once although its tool does not listen", async () => {
  const { call, services } = await setUp();
  const loadServices = withSearch(services, () => new Promise(() => {}));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  // The tool itself never answers.
  const reply = await call("search_text", { pattern: "x" }, {
    loadServices,
    signal: controller.signal,
  });
  equal(reply.error, "cancelled");
});

Deno.test("callTool() keeps a reply in the asked budget and whole (R50: 153 KB for one search)", async () => {
  const { call } = await setUp({ "big.txt": `${"login ".repeat(30)}\n`.repeat(3000) });
  for (const max_bytes of [1024, 4096]) {
    const reply = await call("search_text", { pattern: "login", max_results: 1000, max_bytes });
    ok(new TextEncoder().encode(JSON.stringify(reply)).length <= max_bytes);
    equal(reply.total, 3000);
    ok(reply.truncated !== undefined);
  }
});

Deno.test("callTool() refuses another folder than its project as repo_path", async () => {
  const { call, services } = await setUp();
  for (const repo_path of ["..", "/", "src"]) {
    equal((await call("get_session_status", { repo_path })).error, "invalid_value", repo_path);
  }
  const { projectRoot } = services.parts;
  for (const repo_path of [".", projectRoot, `${projectRoot}/`]) {
    equal((await call("start_session", { ...START, repo_path, on_unfinished: "park" })).ok, true);
  }
});

Deno.test("callTool() says what is wrong when the services cannot be built", async () => {
  const { call } = await setUp();
  const reply = await call("search_text", { pattern: "x" }, {
    loadServices: () =>
      createServices({ projectDir: "/no/such/folder", logger: SILENT_LOGGER, offered: [] }),
  });
  equal(reply.error, "io_failed");
  match(reply.message, /no such folder/);
});

Deno.test("callTool() calls no answer complete while the index says that it left files out", async () => {
  const { call, services } = await setUp();
  const cut = "Only 2 of 7 untracked files were looked at.";
  const loadServices = () => Promise.resolve({ ...services, takeIndexNotices: () => [cut] });
  const found = await call("search_text", { pattern: "login" }, { loadServices });
  deepEqual([found.answer, found.notices], ["partial", [cut]]);
  const none = await call("search_text", { pattern: "not_there" }, { loadServices });
  deepEqual([none.answer, none.notices], ["unknown", [cut]]);
});
