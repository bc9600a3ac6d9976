/**
 * Checks for `doctor` whether what `init` wrote is still there, and whether the hooks of a client
 * ran.
 */
import { toCountText, toTimeText } from "../../base/text/plain_text.ts";
import { delimiter, join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { PROGRAM_NAME } from "../../base/version.ts";
import { readKnownFiles } from "../edits/file_state.ts";
import type { ClientName } from "../../clients/setup.ts";
import type { Places } from "./places.ts";
import { CLIENT_TITLES, hasServer, SERVER_FILES } from "./server_entries.ts";
import type { EditRecord } from "./setup_manifest.ts";
import { loadManifest } from "./setup_manifest.ts";
import { planUninstall } from "./uninstall_plan.ts";

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
  /** The person's home folder; null where none is known. */
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
    ...toFinding("warn", "Missing, or without the entry that init wrote", gone, again),
    ...toFinding(
      "warn",
      "Cannot be used as they are",
      odd,
      "Mend them, then run `code-intel init`.",
    ),
    ...toFinding("ok", "Edited by you", own, null),
    {
      status: "ok",
      detail: `${
        toCountText(rows.length - gone.length - odd.length, "file is", "files are")
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
function checkServers(written: readonly string[], places: Places): readonly SetupFinding[] {
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

function toFinding(
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
    const detail = `Hooks of ${seen[1]} ran at ${toTimeText(seen[2] ?? "")}, before a start`;
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
