/**
 * Loads a composition root only when it is needed. There are three, because the complete one loads
 * most of the program, and a hook or a set-up has to answer without that.
 */
import type { HookDoor } from "../workflow/mod.ts";
import type { Services, ServicesOptions } from "./services.ts";

/**
 * Builds the real services. Nothing is opened yet, and of the project only its folder is looked up.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function createServices(options: ServicesOptions): Promise<Services> {
  return await (await import("./services.ts")).createServices(options);
}

/**
 * Builds what answers hooks in the project of a folder, without the index, the searches and the
 * protocol.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function openHookDoor(projectDir: string): Promise<HookDoor> {
  return await (await import("./hook_services.ts")).openHookDoor(projectDir);
}

/**
 * The root of the project that a folder belongs to.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function findProjectRoot(folder: string): Promise<string> {
  return await (await import("./project_basis.ts")).findProjectRoot(folder);
}
