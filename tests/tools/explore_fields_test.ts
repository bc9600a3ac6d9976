/** The five exploration tools as rows: input, reply, budget, what they disclose. */
import { NO_RUNS } from "../../src/index/seen_runs.ts";
import { NO_REPOSITORIES } from "../../src/services/other_repositories.ts";
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { NO_ASKER } from "../../src/base/asker.ts";
import { readArguments } from "../../src/tools/arguments.ts";
import { formatFreshness } from "../../src/tools/explore_fields.ts";
import { measureJson } from "../../src/base/text/json_record.ts";
import type { ToolContext, ToolOutcome, ToolRow } from "../../src/tools/tool.ts";
import { findTool } from "../../src/tools/tools.ts";
import type { IndexFreshness } from "../../src/explore/explorer.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createProject, eachWay } from "../explore/sample_project.ts";
import type { Project } from "../explore/sample_project.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** That of a project without one. */
function rowOf(tool: string): ToolRow {
  const row = findTool(tool);
  ok(row !== undefined, tool);
  return row;
}

async function call(
  project: Project,
  tool: string,
  options: { readonly args: Arguments; readonly maxBytes?: number },
): Promise<ToolOutcome> {
  const row = rowOf(tool);
  const read = readArguments(row, options.args);
  ok(read.kind === "input", JSON.stringify(read));
  const context: ToolContext = {
    // The exploration tools use nothing else of the services.
    services: {
      projectRoot: project.temp.dir,
      explorer: project.explorer,
      openOthers: () => Promise.resolve(NO_REPOSITORIES),
      openRuns: () => Promise.resolve(NO_RUNS),
    } as unknown as Services,
    signal: new AbortController().signal,
    maxBytes: options.maxBytes ?? 16 * 1024,
    asker: NO_ASKER,
    via: "mcp",
    progress: () => {},
  };
  return await row.run(read.input, context);
}

const CALLS: readonly (readonly [string, Arguments, string])[] = [
  [
    "search_text",
    { pattern: ["user", "class"], "case_sensitive": false, "context_lines": 3 },
    "matches",
  ],
  ["search_files", { pattern: "**" }, "files"],
  ["find_definitions", { symbol: "s" }, "definitions"],
  ["find_references", { symbol: "user", "include_text": true }, "references"],
  ["get_symbols", { path: "src/load.ts" }, "symbols"],
];

for (const [tool, args, key] of CALLS) {
  eachWay(
    `R26: ${tool} keeps small budgets with valid JSON, and next goes on to every result once`,
    async (project) => {
      const whole = await call(project, tool, {
        args: { ...args, "max_results": 1000 },
        maxBytes: 200_000,
      });
      const all = listPlaces(whole.reply[key] as readonly Arguments[]);
      ok(all.length > 1, `${tool} finds ${all.length}`);
      equal(whole.reply["truncated"], undefined);
      equal(whole.reply["total"], all.length);
      equal(whole.reply["freshness"], "live");
      equal(typeof whole.reply["source"], "string");
      const seen: string[] = [];
      let next: Arguments | undefined = { ...args, "max_results": 3 };
      while (next !== undefined) {
        const outcome: ToolOutcome = await call(project, tool, { args: next, maxBytes: 1024 });
        ok(measureJson(outcome.reply) <= 1024, `${tool}: ${measureJson(outcome.reply)} bytes`);
        equal(outcome.reply["total"], all.length);
        seen.push(...listPlaces(outcome.reply[key] as Arguments[]));
        const truncated = outcome.reply["truncated"] as
          | { readonly next: { readonly tool: string; readonly arguments: Arguments } }
          | undefined;
        if (truncated !== undefined) equal(truncated.next.tool, tool);
        next = truncated?.next.arguments;
      }
      // Each page is in the order of the files; which results it has is another order.
      deepEqual(seen.toSorted(), all.toSorted());
    },
  );
}

/** The results of a list, as `path:line` where they are places; of a file's lines those that matched. */
function listPlaces(items: readonly (Arguments | string)[]): readonly string[] {
  return items.flatMap((item) => {
    if (typeof item === "string") return [item];
    const { path, line, lines } = item as { path?: string; line?: number; lines?: string[] };
    if (lines === undefined) return [`${path}:${line}`];
    return lines.flatMap((text) => {
      const [, numbers = "", kind] = /^([\d,]+)(:| \w+:)/.exec(text) ?? [];
      return kind === undefined
        ? []
        : numbers.split(",").map((number) => `${path}:${number}${kind}`);
    });
  });
}

eachWay(
  "the tools disclose the files and symbols that a cut reply still shows",
  async (project) => {
    const cut = await call(project, "find_definitions", {
      args: { symbol: "save", language: "py", "max_results": 1 },
    });
    deepEqual(cut.shownFiles, ["src/users/service.py"]);
    deepEqual(cut.shownSymbols, ["save"]);
    const names = await call(project, "search_files", { args: { pattern: "*.py" } });
    deepEqual(names.shownFiles, []);
    const text = await call(project, "search_text", {
      args: { pattern: "loadUser", path: "src/load.ts" },
    });
    deepEqual(text.shownFiles, ["src/load.ts"]);
  },
);

eachWay(
  "R51: search_text answers a bad pattern with its problem, never with zero results",
  async (project) => {
    const { reply } = await call(project, "search_text", { args: { pattern: "a(" } });
    equal(reply.ok, false);
    equal(reply["error"], "invalid_pattern");
  },
);

Deno.test("what all results would say alike stands once, and what differs stays with each", async () => {
  await using project = await createProject("programs");
  await project.temp.write({ "src/one.py": "def only():\n    pass\n" });
  await project.temp.write({ "src/two.py": "    only()\nx = 1\n  only()\ny = only()\n" });
  const lines = (list: unknown) => (list as readonly Arguments[]).map((one) => one["lines"]);
  const text = { args: { pattern: "only()", fixed: true, path: "src/two.py" } };
  deepEqual(lines((await call(project, "search_text", text)).reply["matches"]), [
    ["1,3:only()", "4:y = only()"],
  ]);
  const uses = { args: { symbol: "only", path: "src/two.py" } };
  deepEqual(lines((await call(project, "find_references", uses)).reply["references"]), [
    ["1,3 call: only()", "4 call: y = only()"],
  ]);
  const keys = (list: unknown) => Object.keys((list as readonly Arguments[])[0] ?? {});
  const file = (await call(project, "get_symbols", { args: { path: "src/one.py" } })).reply;
  deepEqual([file["path"], file["language"]], ["src/one.py", "Python"]);
  deepEqual(keys(file["symbols"]).filter((key) => ["path", "language"].includes(key)), []);
  const folder = (await call(project, "get_symbols", { args: { path: "src" } })).reply;
  deepEqual([folder["path"], folder["language"]], ["src", undefined]);
  deepEqual(keys(folder["symbols"]).filter((key) => ["path", "language"].includes(key)), [
    "path",
    "language",
  ]);
});

Deno.test("formatFreshness() leaves out of an index's state what is at its end", () => {
  const checkedAt = "2026-11-21T10:00:00.000Z";
  const state = {
    files: 9,
    pending: 1,
    chunks: 8,
    embedded: 3,
    ready: "lexical",
    vectorsLeft: 6,
    checkedAt,
  };
  const short = (more: Partial<IndexFreshness>) =>
    formatFreshness({ ...state as IndexFreshness, ...more });
  equal(formatFreshness("live"), "live");
  deepEqual(short({}), { pending: 1, ready: "lexical", vectors_left: 6 });
  deepEqual(short({ embedded: 0, pending: 0 }), { pending: 0, ready: "lexical" });
  deepEqual(short({ ready: "hybrid", vectorsLeft: 0, pendingFiles: ["a.ts"] }), {
    pending: 1,
    pending_files: ["a.ts"],
    ready: "hybrid",
  });
});

const HOSTILE = ["a\0b", "x".repeat(1_000_000), ""];

for (const [tool, args] of CALLS) {
  Deno.test(`${tool} refuses hostile text in every field before anything runs`, () => {
    for (const field of [...Object.keys(args), "path"]) {
      if (typeof args[field] === "boolean" || typeof args[field] === "number") continue;
      for (const text of HOSTILE) {
        equal(
          readArguments(rowOf(tool), { ...args, [field]: text }).kind,
          "refused",
          `${field} ${text.length}`,
        );
      }
    }
  });
}

Deno.test("search_text runs option-like patterns, paths and types as what they are", async () => {
  await using project = await createProject("programs");
  for (const pattern of ["--pre=cat", "-e", "--", "-f/etc/passwd", "--help"]) {
    const { reply } = await call(project, "search_text", { args: { pattern } });
    deepEqual([reply.ok, reply["total"]], [true, 0], pattern);
  }
  const path = await call(project, "search_text", { args: { pattern: "x", path: "--pre=x" } });
  equal(path.reply["error"], "path_not_found");
  const type = await call(project, "search_text", {
    args: { pattern: "x", "file_type": "--pre=x" },
  });
  equal(type.reply["error"], "unknown_file_type");
});

eachWay(
  "the record of a call names what was defined and used, by file, and is bounded",
  async (project) => {
    const defined = await call(project, "find_definitions", {
      args: { symbol: "save", language: "py", "max_results": 1 },
    });
    deepEqual(defined.defines, { "src/users/service.py": ["save"] });
    equal(defined.refers, undefined);
    const used = await call(project, "find_references", { args: { symbol: "loadUser" } });
    const files = Object.keys({ ...used.defines, ...used.refers });
    deepEqual(files.toSorted(), [...used.shownFiles ?? []].toSorted());
    for (const names of Object.values(used.refers ?? {})) deepEqual(names, ["loadUser"]);
    const listed = await call(project, "get_symbols", { args: { path: "src/load.ts" } });
    deepEqual(Object.keys(listed.defines ?? {}), ["src/load.ts"]);
    deepEqual(listed.defines?.["src/load.ts"]?.toSorted(), listed.shownSymbols?.toSorted());
    const text = await call(project, "search_text", { args: { pattern: "save" } });
    deepEqual([text.defines, text.refers], [undefined, undefined]);
  },
);

Deno.test("a record holds no more names than its limit", async () => {
  await using project = await createProject("programs");
  const many = Array.from({ length: 300 }, (_, at) => `def f${at}():\n    pass\n`).join("");
  await project.temp.write({ "src/many.py": many });
  const { defines } = await call(project, "get_symbols", {
    args: { path: "src/many.py", "max_results": 1000, "max_bytes": 200_000 },
    maxBytes: 200_000,
  });
  equal(defines?.["src/many.py"]?.length, 200);
});
