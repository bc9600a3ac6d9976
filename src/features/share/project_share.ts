/** Puts together what is shared of a project, from the parts of the core. */
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import { toIndexDir } from "../../services/project_files.ts";
import type { ProjectParts } from "../../services/services_api.ts";
import type { Share } from "./share.ts";
import { createShare } from "./share.ts";
import { ShareFolder } from "./share_folder.ts";
import { SharedPacks } from "./shared_packs.ts";

/** Makes it; nothing is opened before the first call. */
export function openShare(parts: ProjectParts, index: CodeIndex): Share {
  const { projectRoot, openRepo, settings, logger } = parts;
  return createShare({
    projectRoot,
    index,
    openRepo,
    folder: () => openFolder(parts),
    loadSettings: async () => {
      const { values, overrides } = (await settings.read()).config;
      const { share_remote: remote } = values;
      const isPersonal = overrides.some(({ key }) => key === "share_remote");
      return { remote: remote === "" ? null : remote, isPersonal };
    },
    onNotice: (notice) => logger.note(notice),
    nowMs: () => SYSTEM_CLOCK.now().getTime(),
  });
}

/** The analyses that this machine has of others. */
export async function openShared(parts: ProjectParts): Promise<SharedPacks> {
  const { logger } = parts;
  return new SharedPacks(await openFolder(parts), { onNotice: (notice) => logger.note(notice) });
}

async function openFolder(parts: ProjectParts): Promise<ShareFolder> {
  return new ShareFolder(toIndexDir(await parts.openRepo(), parts));
}
