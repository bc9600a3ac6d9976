/**
 * The ways of a session side by side: each step by hand, and the default way as three clients call it. Claude Code and
 * Codex run hooks, which see reads and edits; opencode runs none, so that its agent clears the files itself.
 */
import { delimiter, dirname, join } from "node:path";
import { createUser } from "../demo/person.ts";
import { createSampleProject } from "../demo/sample_project.ts";
import type { ServerOptions } from "../demo/server.ts";
import { makeTempFolders, startServer, toProgram } from "../demo/server.ts";
import type { Edit } from "../demo/session.ts";
import { applyEdit } from "../demo/session.ts";
import type { WayFigures } from "./figures.ts";
import { toBytes } from "./figures.ts";
import type { Recording, ReplayedCall } from "./replay.ts";
import { loadDefaultSession, replay, toFull, toSmall, toWhole, WHOLE_SIZES } from "./replay.ts";

/** A way: what is sent, and the client whose hooks run; null where none does. */
interface Way {
  readonly name: string;
  readonly recording: Recording;
  readonly isJoined: boolean;
  readonly hooks: "claude" | "codex" | null;
}

/** What a replay cost. */
export interface RunCost {
  readonly replayed: readonly ReplayedCall[];
  readonly sentBytes: number;
  readonly gitStarts: number;
  readonly hookRuns: number;
}

const CLIENTS = [["Claude Code", "claude"], ["Codex", "codex"], ["opencode", null]] as const;

/** Every way of the recorded session. */
export async function listWays(): Promise<readonly Way[]> {
  const recorded = await loadDefaultSession();
  const byHand = { isJoined: false, hooks: null };
  return [
    { ...byHand, name: "`full`, each step by hand", recording: toFull(recorded) },
    { ...byHand, name: "each step by hand", recording: recorded },
    { ...byHand, name: "by hand, joined by `then`", recording: recorded, isJoined: true },
    { ...byHand, name: "by hand, joined, small", recording: toSmall(recorded), isJoined: true },
    ...WHOLE_SIZES.flatMap((size) =>
      CLIENTS.map(([client, hooks]) => ({
        name: `default way, ${size}, ${client}`,
        recording: toWhole(recorded, size, { clears: hooks === null }),
        isJoined: true,
        hooks,
      }))
    ),
  ];
}

/** Replays a recording on a project and a server of its own. */
export async function runWay({ recording, isJoined, hooks }: Omit<Way, "name">): Promise<RunCost> {
  await using folders = await makeTempFolders();
  const { root } = folders;
  await createSampleProject(root);
  const { env, countStarts } = await countGit(folders.stateDir);
  const { client } = await startServer({ ...folders, person: createUser(() => {}).answer, env });
  let [sentBytes, hookRuns] = [0, 0];
  const runEvent = async (word: string, event: object) => {
    hookRuns++;
    await runHook(word, { ...folders, env, client: hooks ?? "claude", event });
  };
  const edit = async (one: Edit) => {
    if (hooks === null) return await applyEdit(root, one);
    const path = join(root, one.path);
    const read = { tool_name: "Read", tool_input: { file_path: path } };
    const content = await Deno.readTextFile(path).catch(() => "");
    await runEvent("post-tool-use", { ...read, tool_response: { file: { content } } });
    const event = toEditEvent(hooks, { ...one, path });
    await runEvent("pre-tool-use", event);
    await applyEdit(root, one);
    await runEvent("post-tool-use", { ...event, tool_response: "done" });
  };
  const replayed = await replay(recording, {
    call: async (tool, args) => {
      sentBytes += toBytes(JSON.stringify(args));
      const answer = await client.callTool(tool, args);
      const own = { tool_name: `mcp__code-intel__${tool}`, tool_input: {}, tool_response: {} };
      if (hooks !== null) await runEvent("post-tool-use", own);
      return answer;
    },
    root,
    isJoined,
    edit,
  });
  await client.close();
  return { replayed, sentBytes, gitStarts: await countStarts(), hookRuns };
}

function toEditEvent(client: "claude" | "codex", { path, find, put }: Edit): object {
  if (client === "claude") {
    return {
      tool_name: "Edit",
      tool_input: { file_path: path, old_string: find, new_string: put },
    };
  }
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-x\n+y\n*** End Patch\n`;
  return { tool_name: "apply_patch", tool_input: { command: patch } };
}

/** Runs the hook of a client as the client does; a refusal ends the replay. */
async function runHook(
  word: string,
  { root, stateDir, env, client, event }: ServerOptions & {
    readonly client: "claude" | "codex";
    readonly event: object;
  },
): Promise<void> {
  const [command, ...args] = toProgram();
  const child = new Deno.Command(command, {
    args: [...args, "hook", word, "--client", client],
    cwd: root,
    env: { ...env, CODE_INTEL_STATE_DIR: stateDir },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const common = { session_id: "trial", cwd: root, hook_event_name: word };
  await writer.write(new TextEncoder().encode(JSON.stringify({ ...common, ...event })));
  await writer.close();
  const { stdout } = await child.output();
  const said = new TextDecoder().decode(stdout);
  if (said.includes('"deny"')) throw new Error(`${word} of ${client}: ${said}`);
}

/** A git in front of the real one that notes each start. */
async function countGit(folder: string) {
  const [bin, log] = [join(folder, "trial-bin"), join(folder, "trial-git.log")];
  await Deno.mkdir(bin);
  const path = Deno.env.get("PATH") ?? "";
  const shim = `#!/bin/sh\necho >>'${log}'\nPATH='${path}' exec git "$@"\n`;
  await Deno.writeTextFile(join(bin, "git"), shim, { mode: 0o755 });
  return {
    env: { PATH: [bin, dirname(Deno.execPath()), path].join(delimiter) },
    countStarts: async () => (await Deno.readTextFile(log).catch(() => "")).length,
  };
}

/** Runs all ways, and gives the row of each. */
export async function measureWays(): Promise<Readonly<Record<string, WayFigures>>> {
  const rows: [string, WayFigures][] = [];
  for (const { name, ...way } of await listWays()) {
    const { replayed, sentBytes, gitStarts, hookRuns } = await runWay(way);
    const sum = (field: "sizeBytes" | "durationMs") =>
      replayed.reduce((total, call) => total + call[field], 0);
    rows.push([name, {
      calls: replayed.length,
      sentBytes,
      replyBytes: sum("sizeBytes"),
      gitStarts,
      hookRuns,
      serverMs: Math.round(sum("durationMs")),
    }]);
  }
  return Object.fromEntries(rows);
}

const COLUMNS = ["calls", "sentBytes", "replyBytes", "gitStarts", "hookRuns", "serverMs"] as const;

/** The ways as a table; what was measured before stands in brackets where it was another figure. */
export function formatWays(
  now: Readonly<Record<string, WayFigures>>,
  before: Readonly<Record<string, WayFigures>>,
): string {
  const head = [
    "| way | calls | bytes sent | bytes of replies | starts of git | runs of hooks | ms in the server |",
    "|---|---:|---:|---:|---:|---:|---:|",
  ];
  const rows = Object.entries(now).map(([name, figures]) => {
    const cells = COLUMNS.map((column) => {
      const old = before[name]?.[column];
      // Times differ from run to run, so that they are compared with none.
      const isOther = old !== undefined && old !== figures[column] && column !== "serverMs";
      return `${figures[column].toLocaleString("en")}${
        isOther ? ` (${old.toLocaleString("en")})` : ""
      }`;
    });
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [...head, ...rows].join("\n");
}
