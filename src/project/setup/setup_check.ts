/**
 * Checks for `doctor` whether what `init` wrote is still there, whether the clients know the server, and whether their
 * hooks ran.
 */
import { delimiter, dirname, join, parse } from "node:path";
import { parseJsonc } from "../../base/text/jsonc.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import type { ClientName } from "../../clients/setup.ts";
import { SERVER_KEY } from "../../clients/setup.ts";
import { hasTable, parseTomlText } from "../edits/block_edit.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import { readKnownFiles, resolvePath } from "../edits/file_state.ts";
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { PROGRAM_NAME } from "../../base/version.ts";
import type { EditRecord } from "./setup_manifest.ts";
import { loadManifest } from "./setup_manifest.ts";
import { planUninstall } from "./uninstall.ts";

/** Where each client looks for servers: in files of the project, and in those of the user. */
export const SERVER_FILES: Readonly<Record<ClientName, readonly string[]>> = {
  claude: [".mcp.json", "~/.claude.json"],
  codex: [".codex/config.toml", "~/.codex/config.toml"],
};

/** What people call the clients. */
export const CLIENT_TITLES: Readonly<Record<ClientName, string>> = {
  claude: "Claude Code",
  codex: "Codex",
};

/** True where one of the files has an entry for the server, whoever wrote it. */
export function hasServer(client: ClientName, places: SetupRoots): boolean {
  return SERVER_FILES[client].some((path) => {
    if (path.startsWith("~/") && places.home === null) return false;
    const file = resolvePath(places, path);
    // The client follows links everywhere, so this does too.
    const within = parse(dirname(file)).root;
    const text = readRegularText(file, { within, maxBytes: LIMITS.setupFileBytes.value });
    if (text === undefined) return false;
    return client === "codex" ? isInToml(text) : isInJson(text, places.root);
  });
}

function isInToml(text: string): boolean {
  const parsed = parseTomlText(text);
  return parsed.kind === "toml" && hasTable(parsed.value, ["mcp_servers", SERVER_KEY]);
}

function isInJson(text: string, root: string): boolean {
  const parsed = parseJsonc(text);
  if (parsed.kind !== "value") return false;
  const ways = [["mcpServers"], ["projects", root, "mcpServers"]];
  return ways.some((way) => find(parsed.value, [...way, SERVER_KEY]) !== undefined);
}

function find(value: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}

/** A finding in the words of `doctor`. */
export interface SetupFinding {
  readonly status: "ok" | "warn";
  readonly detail: string;
  readonly fix: string | null;
}

/** What the check works with. */
export interface SetupCheckInput {
  readonly projectRoot: string;
  readonly codeIntelDir: string;
  /** The user's home folder; null where none is known. */
  readonly home: string | null;
  /** Folders in which programs are looked for, as `PATH` has them. */
  readonly path: string;
}

/** Checks each file of the set-up. */
export async function checkSetup(input: SetupCheckInput): Promise<readonly SetupFinding[]> {
  const { projectRoot: root, codeIntelDir, home } = input;
  const manifest = await loadManifest(codeIntelDir);
  if (manifest === null) {
    const fix =
      "Run `code-intel init` to write the files of your clients, or register the server by hand.";
    return [{ status: "ok", detail: "code-intel init was not run here", fix }];
  }
  const states = await readKnownFiles({ root, home }, manifest);
  const rows = planUninstall(manifest, states, { isPurge: false });
  const gone = rows.filter(({ action }) => action === "gone").map(({ path }) => path);
  const odd = rows.filter(({ action }) => action === "refuse")
    .map(({ path, reason }) => `${path}: ${reason}`);
  const own = rows.filter(({ action }) => action === "keep").map(({ path }) => path);
  const again = "Run `code-intel init` again.";
  return [
    ...buildFinding("warn", "Missing, or without the entry that init wrote", gone, again),
    ...buildFinding(
      "warn",
      "Cannot be used as they are",
      odd,
      "Mend them, then run `code-intel init`.",
    ),
    ...buildFinding("ok", "Edited by you", own, null),
    {
      status: "ok",
      detail: `${
        formatCount(rows.length - gone.length - odd.length, "file is", "files are")
      } set up`,
      fix: null,
    },
    ...checkServers(Object.keys({ ...manifest.files, ...manifest.edits }), { root, home }),
    checkHooks(codeIntelDir, Object.values(manifest.edits)),
    ...await checkCommand(Object.keys(manifest.edits), input.path),
  ];
}

/** Paths that show that a client was set up, even where its entry for the server is gone. */
const SIGNS: Readonly<Record<ClientName, RegExp>> = {
  claude: /^\.claude\//,
  codex: /^(?:~\/)?\.codex\/|^\.agents\//,
};

/** Warns of clients without the server's entry, because skills and hooks are of no use to them. */
function checkServers(written: readonly string[], places: SetupRoots): readonly SetupFinding[] {
  const clients = (["claude", "codex"] as const).filter((client) =>
    written.some((path) => SIGNS[client].test(path)) && !hasServer(client, places)
  );
  return clients.map((client) => ({
    status: "warn",
    detail: `${CLIENT_TITLES[client]} does not know the server: no entry in ${
      SERVER_FILES[client].join(" or ")
    }`,
    fix:
      `Run \`code-intel init --client ${client}\`; a file that it refuses has to be mended first.`,
  }));
}

/** Files that a team shares call the program by its name, which has to be on the `PATH`. */
async function checkCommand(
  edited: readonly string[],
  path: string,
): Promise<readonly SetupFinding[]> {
  const naming = NAMING.filter((name) => edited.includes(name));
  if (naming.length === 0) return [];
  const names = Deno.build.os === "windows" ? [`${PROGRAM_NAME}.exe`] : [PROGRAM_NAME];
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  for (const file of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    const info = await Deno.stat(file).catch(() => null);
    if (info?.isFile) return [{ status: "ok", detail: `Clients start ${file}`, fix: null }];
  }
  return [{
    status: "warn",
    detail: `${naming.join(", ")}: clients start ${PROGRAM_NAME}, which is not on PATH`,
    fix: "Put the program on the PATH of the shell or desktop that starts the client.",
  }];
}

const NAMING: readonly string[] = [".mcp.json", ".codex/config.toml"];

function buildFinding(
  status: SetupFinding["status"],
  what: string,
  paths: readonly string[],
  fix: string | null,
): readonly SetupFinding[] {
  return paths.length === 0 ? [] : [{ status, detail: `${what}: ${paths.join(", ")}`, fix }];
}

function checkHooks(codeIntelDir: string, edits: readonly EditRecord[]): SetupFinding {
  const text = readControlTextIfUsable(join(codeIntelDir, "cache/hooks_seen.json"), "memory");
  const seen = /"client":"(\w+)","at":"([^"]+)"/.exec(text ?? "");
  if (seen !== null) {
    const detail = `Hooks of ${seen[1]} ran at ${formatTime(seen[2] ?? "")}, before a start`;
    return { status: "ok", detail, fix: null };
  }
  if (!edits.some(({ pieces }) => pieces.some(({ at }) => at[0] === "hooks"))) {
    return {
      status: "ok",
      detail: "No hooks are set up: clients know the server alone",
      fix: null,
    };
  }
  return {
    status: "ok",
    detail: "No hook has run before a start yet",
    fix:
      "Claude Code asks to trust the folder; in Codex open /hooks and trust those of code-intel.",
  };
}
