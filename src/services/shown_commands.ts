/** The commands that prove a change: those of the settings, or where these name none those that the project itself shows. */
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import { chooseVerify } from "../project/setup/start_fault.ts";
import { createProjectLister } from "./project_files.ts";
import type { ProjectParts } from "./services_api.ts";

/** Loads them, with what is known of trust. */
export async function loadShownCommands(
  { verification, parts }: {
    readonly verification: ProjectVerification;
    readonly parts: ProjectParts;
  },
): Promise<ProjectCommands> {
  const found = await verification.loadCommands();
  if (found.commands.length > 0 || found.faults.length > 0) return found;
  const { verify } = await chooseVerify({
    root: parts.projectRoot,
    path: parts.get("PATH") ?? "",
    files: await createProjectLister(parts.projectRoot, parts.openRepo)(),
    startDir: "",
  });
  const rows = verify.map(({ name, run }) => ({ name, run, timeout_s: 1_800 }));
  return await verification.loadCommands({ ...await verification.readSettings(), verify: rows });
}
