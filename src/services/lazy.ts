/**
 * Loads a composition root when it is needed. The three are apart because most of the program hangs on the
 * whole one, and a hook or a set-up has to answer without it.
 */
import type { HookDesk } from "../workflow/mod.ts";
import type { Services, ServicesOptions } from "./services.ts";

/**
 * Builds the real services. Nothing is started and nothing of the project is read beside its folder.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function createServices(options: ServicesOptions): Promise<Services> {
  return await (await import("./services.ts")).createServices(options);
}

/**
 * Opens the door for hooks of the project of a folder, without the index, the searches and the protocol.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function openHookDesk(projectDir: string): Promise<HookDesk> {
  return await (await import("./hook_services.ts")).openHookDesk(projectDir);
}

/**
 * The root of the project that a folder belongs to.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder.
 */
export async function findProjectRoot(folder: string): Promise<string> {
  return await (await import("./project_basis.ts")).findProjectRoot(folder);
}
