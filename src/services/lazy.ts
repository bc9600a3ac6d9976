/**
 * Loads a composition root only when it is needed. There are two, because the complete one loads
 * most of the program, and a hook has to answer without that.
 */
import type { HookDoor } from "../workflow/hook_door.ts";
import type { Extension } from "./extension.ts";
import type { Services } from "./services_api.ts";
import type { ServicesOptions } from "./services_options.ts";

/**
 * Builds the real services. Nothing is opened yet, and of the project only its folder is looked up.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder, `not_a_project`.
 */
export async function createServices(options: ServicesOptions): Promise<Services> {
  return await (await import("./services.ts")).createServices(options);
}

/**
 * Builds what answers hooks in a project, without the index, the searches and the protocol.
 *
 * @param projectRoot the folder of the project itself.
 * @param features what the program can do beside its core.
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function openHookDoor(
  projectRoot: string,
  features: readonly Extension[],
): Promise<HookDoor> {
  return await (await import("./hook_services.ts")).openHookDoor(projectRoot, features);
}
