/**
 * What `init` and `uninstall` share: which folder and whose home are meant, which files were refused, and the entries that
 * a person may put into files of clients.
 */
import { CONFIG_CLIENTS, listConfigEntries } from "../clients/config_entries.ts";
import type { ExitCode, Invocation } from "./command.ts";
import { relative } from "node:path";
import type { FolderMessage } from "../base/files/project_folder.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { Words } from "../base/text/words.ts";
import { findProjectRoot } from "../place/project_root.ts";

/** Prints them all, or the one that `--client` names. */
export async function printConfig(
  { isJson, options, terminal }: Invocation,
  words: readonly string[],
): Promise<ExitCode> {
  const command = { words, isLocal: !Deno.build.standalone };
  const client = String(options["client"] ?? "all");
  const isAll = client === "all" || client === "auto";
  const entries = listConfigEntries(command, isAll ? CONFIG_CLIENTS : [client]);
  if (isJson) {
    const own = Object.fromEntries(entries.map(({ id, entry }) => [id, entry]));
    await terminal.data(`${JSON.stringify({ ok: true, ...own })}\n`);
  } else {
    const texts = entries.map(({ client, file, entry }) => {
      const text = typeof entry === "string" ? entry : `${JSON.stringify(entry, null, 2)}\n`;
      return `${client} (${file}):\n\n${text}`;
    });
    await terminal.data(texts.join("\n"));
  }
  return 0;
}

/**
 * The named folder itself; without one, the project that the present folder belongs to.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder, `not_a_project`.
 */
export async function findFolder(
  { positionals, projectDir, isNamed }: Invocation,
): Promise<string> {
  const [named] = positionals;
  return named === undefined
    ? await findProjectRoot(projectDir, { isNamed })
    : await findProjectRoot(named, { isNamed: true, words: AS_ARGUMENT });
}

const AS_ARGUMENT: FolderMessage = {
  action: "use the folder",
  hint: "Name an existing folder, or start in the project without a name.",
};

/**
 * Where in the project the user started, relative to it: empty at its top, and where they named a
 * folder.
 */
export async function findStartDir(
  { positionals, projectDir }: Invocation,
  root: string,
): Promise<string> {
  if (positionals.length > 0) return "";
  return relative(root, await Deno.realPath(projectDir)).replaceAll("\\", "/");
}

/** The user's home folder; null where none is known. */
export function findHome(): string | null {
  const home = Deno.env.get(Deno.build.os === "windows" ? "USERPROFILE" : "HOME") ?? "";
  return home === "" ? null : home;
}

/** The files that a set-up had to leave alone. */
export function makeSetupProblems(
  files: readonly {
    readonly path: string;
    readonly action: string;
    readonly reason: string | null;
    readonly hint: Words | null;
  }[],
): readonly Problem[] {
  return files.filter(({ action }) => action === "refuse").map(({ path, reason, hint }) =>
    makeProblem("file_refused", `${path} was left alone: ${reason ?? "it cannot be edited"}`, {
      path,
      ...(hint === null ? {} : { hint }),
    })
  );
}
