/** What the executable says of itself, and that it needs nothing round it. */
import { join } from "node:path";
import { COMPILER_VERSION } from "../compile/runtime.ts";
import type { Sandbox } from "./sandbox.ts";
import { expect, Skipped } from "./sandbox.ts";
import { REPOSITORY } from "../task.ts";

/** `--version` and `licenses`, moved to another folder under another name, without one variable. */
export async function proveAlone(sandbox: Sandbox): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile(join(REPOSITORY, "deno.json")));
  const moved = join(sandbox.folder, "moved");
  await Deno.copyFile(sandbox.program, moved);
  await Deno.chmod(moved, 0o755);
  const { stdout } = await new Deno.Command(moved, {
    args: ["--version", "--json"],
    cwd: "/",
    clearEnv: true,
  }).output();
  await Deno.remove(moved);
  const facts = JSON.parse(new TextDecoder().decode(stdout));
  expect(facts.version === version, `version ${version}: ${facts.version}`);
  expect(facts.runtime === `deno ${COMPILER_VERSION}`, `the runtime is ${facts.runtime}`);
  const licences = await sandbox.must(["licenses"], { cwd: "/", env: {} });
  const text = await Deno.readTextFile(join(REPOSITORY, "THIRD_PARTY_LICENSES"));
  expect(licences === text, "licenses prints THIRD_PARTY_LICENSES");
}

const LEAVE = 'cd "$0" && PATH=/bin:/usr/bin rmdir "$0" && exec "$@"';

/** In a folder that was removed: one line for a command, one for a hook, and no panic of the runtime. */
export async function proveGoneFolder(sandbox: Sandbox): Promise<void> {
  const { os, arch } = Deno.build;
  if (os !== "linux" || arch !== "x86_64") {
    throw new Skipped(`the runtime of ${os} on ${arch} panics`);
  }
  const rows = [
    { words: ["def", "x"], exit: 2, said: /^code-intel: the present folder is gone: .+\n$/ },
    { words: ["hook", "stop"], exit: 1, said: /^code-intel hook: .* nothing was decided\n$/ },
  ];
  for (const { words, exit, said } of rows) {
    const dir = await Deno.makeTempDir({ dir: sandbox.folder });
    const before = ["sh", "-c", LEAVE, dir];
    const { code, stderr } = await sandbox.run(words, { cwd: sandbox.folder, before });
    expect(code === exit && said.test(stderr), `${words.join(" ")} ends with ${code}: ${stderr}`);
  }
}

const CLIENT = { name: "proof", version: "1.0.0" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ERAS = {
  initialize: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT },
  "server/discover": { _meta: META },
} as const;

/** Both eras of the protocol, with no variable at all and without network: the tools are listed. */
export async function proveHandshake(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository();
  for (const [method, params] of Object.entries(ERAS)) {
    const listed = method === "initialize" ? {} : { _meta: META };
    const lines = [
      { jsonrpc: "2.0", id: 1, method, params },
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: listed },
    ];
    const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const { code, stdout } = await sandbox.run(["serve"], { cwd, stdin, env: {} });
    const answers = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const tools = answers.find(({ id }) => id === 2)?.result?.tools ?? [];
    expect(code === 0 && tools.length >= 18, `${method} leads to ${tools.length} tools`);
  }
}

/** `init` in an empty repository, `doctor` after it, and `uninstall` takes everything out again. */
export async function proveInit(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository();
  await sandbox.must(["init", "--client", "all"], { cwd });
  const servers = JSON.parse(await Deno.readTextFile(join(cwd, ".mcp.json")));
  expect(servers.mcpServers["code-intel"].command === "code-intel", ".mcp.json calls it by name");
  const again = await sandbox.must(["init", "--client", "all", "--json"], { cwd });
  const actions = (JSON.parse(again).files as readonly { readonly action: string }[])
    .map(({ action }) => action);
  expect(
    actions.length > 20 && actions.every((action) => action === "unchanged"),
    "a second init changes nothing",
  );
  const { checks } = JSON.parse(await sandbox.must(["doctor", "--json"], { cwd })) as {
    readonly checks: readonly { readonly id: string; readonly detail: string }[];
  };
  const meaning = checks.filter(({ id }) => id === "meaning").map(({ detail }) => detail);
  for (const said of [/^Word vectors are whole/, /^Model .* is whole/, /^sqlite-vec v[\d.]+, /]) {
    expect(
      meaning.some((detail) => said.test(detail)),
      `doctor says ${said}: ${meaning.join("; ")}`,
    );
  }
  await sandbox.must(["uninstall"], { cwd });
  expect(await sandbox.git(cwd, "status", "--short") === "", "uninstall leaves nothing behind");
}
