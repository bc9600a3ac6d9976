/** Lists and calls everything with the protocol's own client, by both transports and in both eras. */
import { join } from "node:path";
import { INSPECTOR, runPackage } from "./suite.ts";
import type { ServedProject } from "./served_project.ts";

/** What the client did, and what is wrong about the answer; null where nothing is. */
export interface InspectorRun {
  readonly transport: "stdio" | "http";
  readonly era: "legacy" | "modern";
  readonly method: string;
  readonly fault: string | null;
}

/** A request, and what its answer has to hold. */
interface Row {
  readonly method: string;
  readonly args: readonly string[];
  readonly expected: RegExp;
  /** Exit code, default 0: the client has one of its own for a reply that is a refusal. */
  readonly code?: number;
}

const ROWS: readonly Row[] = [
  { method: "tools/list", args: ["--strict"], expected: /"name": ?"submit_phase"/ },
  {
    method: "tools/call",
    args: ["--tool-name", "search_text", "--tool-args-json", '{"pattern":"login"}'],
    expected: /src\/auth\.ts/,
  },
  {
    method: "tools/call",
    args: ["--tool-name", "get_session_status"],
    expected: /no_active_session/,
    code: 5,
  },
  { method: "resources/list", args: [], expected: /code-intel:\/\/brief/ },
  {
    method: "resources/read",
    args: ["--uri", "code-intel://contract/EXPLORATION"],
    expected: /Read the code/,
  },
  { method: "resources/templates/list", args: [], expected: /\{stage\}/ },
  { method: "prompts/list", args: [], expected: /"name": ?"code"/ },
  {
    method: "prompts/get",
    args: ["--prompt-name", "code", "--prompt-args", "request=add-a-login"],
    expected: /Request: add-a-login/,
  },
];

/**
 * Runs rows over both transports in both eras, one after the other.
 *
 * @param methods The only ones that are run; default all.
 */
export async function runInspector(
  served: ServedProject,
  methods: readonly string[] = ROWS.map(({ method }) => method),
): Promise<readonly InspectorRun[]> {
  const runs: InspectorRun[] = [];
  const rows = ROWS.filter(({ method }) => methods.includes(method));
  for (const transport of ["stdio", "http"] as const) {
    for (const era of ["legacy", "modern"] as const) {
      for (const row of rows) {
        const fault = await runRow(served, { transport, era, row });
        runs.push({ transport, era, method: row.method, fault });
      }
    }
  }
  return runs;
}

async function runRow(
  { dir, url, token, stdio, env }: ServedProject,
  { transport, era, row }: Pick<InspectorRun, "transport" | "era"> & { readonly row: Row },
): Promise<string | null> {
  const home = join(dir, "..");
  const target = transport === "http"
    ? ["--server-url", url, "--transport", "http", "--header", `Authorization: Bearer ${token}`]
    : [
      "--transport",
      "stdio",
      ...Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]),
    ];
  const program = transport === "stdio" ? ["--", ...stdio] : [];
  const { method, args, expected, code = 0 } = row;
  const words = [
    "--cli",
    ...target,
    "--protocol-era",
    era,
    "--method",
    method,
    ...args,
    ...program,
  ];
  const run = await runPackage(INSPECTOR, words, {
    cwd: home,
    // Its own files do not belong into the home folder of who runs this.
    env: {
      MCP_CATALOG_PATH: join(home, "inspector", "catalog.json"),
      MCP_CLIENT_CONFIG_PATH: join(home, "inspector", "client.json"),
      MCP_STORAGE_DIR: join(home, "inspector"),
    },
  });
  if (expected.test(run.stdout) && run.code === code) return null;
  return `exit code ${run.code}: ${`${run.stdout}${run.stderr}`.trim().slice(0, 400)}`;
}
