/** Puts the workspace of a project together: where the indexes of other repositories lie, and what builds them. */
import { join } from "node:path";
import type { FolderMessage } from "../../base/files/project_folder.ts";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { lazyObject, loadOnce } from "../../base/lazy.ts";
import { createSettingsReader } from "../../context/settings.ts";
import { createRepositoryOpener, nullWhereUnusable } from "../../git/private_repository.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import { createCodeIndex } from "../../index/code_index.ts";
import { readEntry } from "../../index/scan/scanner.ts";
import { findGitFolder } from "../../place/git_folder.ts";
import { findProjectRoot } from "../../place/project_root.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";
import { Membership } from "./membership.ts";
import type { OtherAnswer } from "../../services/other_repositories.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";
import type { ProjectParts } from "../../services/services_api.ts";
import {
  createProjectLister,
  toIndexDir,
  toPlainIndexDir,
  toProjectIndexDir,
} from "../../services/project_files.ts";
import { buildIndexSettings } from "../../services/project_index.ts";

/** Makes the workspace. Nothing is opened before the first question. */
export function createProjectWorkspace(options: ProjectParts): Workspace {
  const { projectRoot, stateDir, settings, logger, backends, isBrief, get } = options;
  return openWorkspace({
    projectRoot,
    stateDir,
    isBrief,
    backends,
    logger,
    home: get("HOME") || get("USERPROFILE") || null,
    toFolders: (root) => listFolders(root, stateDir),
    findRoot: (dir) => findProjectRoot(dir, { words: AS_MEMBER }),
    openIndex: (root) => openIndex(root, options),
    loadScales: async () => (await settings.read()).config.values.search_weights,
    onNotice: (notice) => logger.note(notice),
  });
}

/** The workspace itself is loaded where the project has one: each question about code asks whether there is. */
function openWorkspace(options: WorkspaceOptions): Workspace {
  const membership = new Membership(options.projectRoot, options.stateDir);
  const load = loadOnce(async () => (await import("./workspace.ts")).createWorkspace(options));
  const isOff = () => membership.read() === null;
  const ask = async (question: (workspace: Workspace) => Promise<OtherAnswer>) =>
    isOff() ? NO_OTHERS : await question(await load());
  return lazyObject(load, {
    list: () => membership.read(),
    toNestedHint: () => membership.toNestedHint(),
    findDefinitions: (symbol) => ask((workspace) => workspace.findDefinitions(symbol)),
    findReferences: async (...question) =>
      isOff()
        ? { ...NO_OTHERS, leading: new Map() }
        : await (await load()).findReferences(...question),
    findUsers: (...question) => ask((workspace) => workspace.findUsers(...question)),
    search: (...question) => ask((workspace) => workspace.search(...question)),
    searchLines: (...question) => ask((workspace) => workspace.searchLines(...question)),
    close: async () => await (await load.started)?.close(),
  });
}

const AS_MEMBER: FolderMessage = {
  action: "open the member",
  hint: "Name existing folders: `code-intel workspace add DIR...`.",
};

/** The index of a repository's own, then the one that is kept for others in the user's state folder. */
function listFolders(root: string, stateDir: string | null): readonly string[] {
  const plainIndexDir = toPlainIndexDir(stateDir, root);
  const own = toIndexDir(findGitFolder(root), { plainIndexDir });
  const kept = toProjectIndexDir(stateDir, root);
  return kept === null ? [own] : [own, kept];
}

/** A repository that has no index of its own gets none: what is built for others lies in the user's state folder. */
function openIndex(
  root: string,
  { stateDir, logger, get }: ProjectParts,
): CodeIndex {
  const folders = listFolders(root, stateDir);
  const folder = folders.find(hasIndex) ?? folders.at(-1) ?? root;
  const settings = createSettingsReader({ codeIntelDir: join(root, ".code-intel"), get });
  const openRepo = nullWhereUnusable(createRepositoryOpener(root, SYSTEM_CLOCK));
  return createCodeIndex({
    projectRoot: root,
    folder,
    listFiles: createProjectLister(root, openRepo, { hasRepositories: true }),
    loadSettings: async () => buildIndexSettings(await settings.read()),
    onNotice: (notice) => logger.note(notice),
  });
}

function hasIndex(folder: string): boolean {
  return readEntry(join(folder, "index.db")).kind === "file";
}
