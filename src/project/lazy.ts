/**
 * Loads the parts of a set-up only when they are called, because every server process loads this
 * folder.
 */
import type { ClientName, SkillText } from "../clients/setup.ts";
import type { OldCopies } from "./copies.ts";
import type { InitInput, InitPlan } from "./setup/init.ts";
import type { Places } from "./setup/places.ts";
import type { PlannedFile } from "./setup/init_plan.ts";
import type { PurgeReport } from "./setup/purge.ts";
import type { PurgeDeps, PurgePlan } from "./setup/purge_plan.ts";
import type { UninstallInput, UninstallPlan } from "./setup/uninstall.ts";
import type { PlannedUndo } from "./setup/uninstall_plan.ts";

/** The texts of `/code`, `/exp` and `/outcome`, with `{{request}}` where the person's words belong. */
export async function loadSkills(): Promise<readonly SkillText[]> {
  return await (await import("./setup/templates.ts")).loadSkills();
}

/** Looks at a project and plans its set-up; nothing is written. */
export async function planSetup(input: InitInput): Promise<InitPlan> {
  return await (await import("./setup/init.ts")).planSetup(input);
}

/**
 * Writes a plan. A file that cannot be written is reported in its row, and the others are still
 * written.
 */
export async function applySetup(plan: InitPlan): Promise<readonly PlannedFile[]> {
  return await (await import("./setup/init.ts")).applySetup(plan);
}

/** Plans what `uninstall` takes out; null where `init` never ran. */
export async function planRemoval(input: UninstallInput): Promise<UninstallPlan | null> {
  return await (await import("./setup/uninstall.ts")).planRemoval(input);
}

/**
 * Takes out what was planned. A file that cannot be changed is reported in its row, and the others
 * are still changed.
 */
export async function applyRemoval(plan: UninstallPlan): Promise<readonly PlannedUndo[]> {
  return await (await import("./setup/uninstall.ts")).applyRemoval(plan);
}

/** Plans what `uninstall --purge` removes beside the set-up; nothing is changed. */
export async function planPurge(deps: PurgeDeps): Promise<PurgePlan> {
  return await (await import("./setup/purge_plan.ts")).planPurge(deps);
}

/**
 * Removes what {@link planPurge} lists. `isNeeded` keeps `.code-intel`, where a file of the set-up
 * could not be undone.
 */
export async function applyPurge(
  deps: PurgeDeps,
  shown: PurgePlan,
  options: { readonly isNeeded: boolean },
): Promise<PurgeReport> {
  return await (await import("./setup/purge.ts")).applyPurge(deps, shown, options);
}

/** The clients that have no entry for the server in any of their files. */
export async function findServerless(
  clients: readonly ClientName[],
  places: Places,
): Promise<readonly ClientName[]> {
  const { hasServer } = await import("./setup/server_entries.ts");
  return clients.filter((client) => !hasServer(client, places));
}

/** The copies that are too old to be kept; the same as behind it in `copies.ts`. */
export async function listOldCopies(
  backupDir: string,
  old: OldCopies,
): Promise<readonly string[]> {
  return await (await import("./copies.ts")).listOldCopies(backupDir, old);
}

/** Removes the copies that are too old to be kept; the same as behind it in `copies.ts`. */
export async function pruneCopies(backupDir: string, old: OldCopies): Promise<readonly string[]> {
  return await (await import("./copies.ts")).pruneCopies(backupDir, old);
}
