/**
 * The services for a hook in a session: the workflow without the index, the searches and the
 * protocol. A client starts a process for each event, so each file not loaded here saves time.
 */
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import type { Extension } from "./extension.ts";
import { createLearningOpener } from "./extension.ts";
import { createBasis } from "./project_basis.ts";
import { createProjectLister } from "./project_files.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { HookDoor } from "../workflow/hook_door.ts";
import { createLazyWorkflow } from "../workflow/outside_session.ts";

/**
 * Builds what answers hooks in a project.
 *
 * @param root the folder of the project itself.
 * @param features what the program can do beside its core.
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function openHookDoor(
  root: string,
  features: readonly Extension[],
): Promise<HookDoor> {
  // The list of tools stays empty, because no reply of a hook names required tools.
  const options = { projectDir: root, isNamed: true, logger: SILENT_LOGGER, offered: [] };
  const { place, openUsable, workflowDeps } = await createBasis(options);
  const { codeIntelDir, projectRoot } = place;
  // Only the end of a session looks up symbols, and no hook ends one.
  const findDefinitions: Explorer["findDefinitions"] = async (input, more) => {
    const { createServices } = await import("./services.ts");
    const { explorer } = await createServices({ ...options, features, isBrief: true });
    return await explorer.findDefinitions(input, more);
  };
  const explorer = { findDefinitions };
  return createLazyWorkflow({
    ...workflowDeps,
    listFiles: createProjectLister(projectRoot, openUsable),
    // Symbols are counted when a frame or an exploration is submitted; hooks submit nothing.
    listSymbols: () => Promise.resolve([]),
    listTouched: () => Promise.resolve([]),
    measureSymbols: () => Promise.resolve([]),
    measureScale: () => Promise.resolve(null),
    findNearTests: () => Promise.resolve([]),
    findSeenTests: () => Promise.resolve(null),
    findByMeaning: () => Promise.resolve([]),
    describeDiff: () => Promise.resolve({}),
    planTests: () => Promise.resolve(null),
    // No hook makes a commit.
    attest: () => Promise.resolve({}),
    // Nor does it run a command.
    addition: () => undefined,
    recallPast: () => Promise.resolve({}),
    planRequest: () => Promise.resolve({ toolsPlanned: [], pastCommits: [] }),
    openLearning: createLearningOpener(features, { codeIntelDir, clock: SYSTEM_CLOCK, explorer }),
  }).hooks;
}
