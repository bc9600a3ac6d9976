/** The tools of a hub as clients see them. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { measureJson } from "../../../../src/base/text/json_record.ts";
import { listHubTools } from "../../../../src/features/hub/answers/hub_call.ts";
import { TOOLS } from "../../../../src/tools/tools.ts";

/** Bytes of the listing, which every session of a client carries. */
const MAX_LISTING_BYTES = 8_192;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

Deno.test("a hub lists what it answers, each with the repository, and names no tool that it has not", () => {
  const tools = listHubTools() as unknown as readonly Listed[];
  const names = tools.map(({ name }) => name);
  deepEqual(names, [
    "list_repositories",
    "search_text",
    "find_definitions",
    "find_references",
    "get_symbols",
    "semantic_search",
    "fetch_chunk_detail",
    "analyze_impact",
  ]);
  const missing = TOOLS.map(({ name }) => name).filter((name) => !names.includes(name));
  for (const { name, description, inputSchema } of tools) {
    const properties = Object.keys(inputSchema.properties ?? {});
    ok(name === "list_repositories" || properties.includes("repository"), name);
    for (const absent of ["diff", "include_ignored", "target_feature"]) {
      ok(!properties.includes(absent), `${name}: ${absent}`);
    }
    deepEqual(missing.filter((one) => new RegExp(`\\b${one}\\b`).test(description)), [], name);
  }
  ok(measureJson(tools) <= MAX_LISTING_BYTES, `${measureJson(tools)} bytes`);
});
