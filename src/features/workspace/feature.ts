/** What a workspace adds to the program: other repositories that questions are asked of too. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const WORKSPACE_FEATURE: Feature = {
  name: "workspace",
  commands: [
    {
      name: "workspace add",
      summary: "Ask other repositories too, and those inside of this one; builds their indexes",
      load: async () => (await import("./workspace_command.ts")).WORKSPACE_ADD,
    },
    {
      name: "workspace list",
      summary: "List the repositories that are asked too",
      load: async () => (await import("./workspace_command.ts")).WORKSPACE_LIST,
    },
    {
      name: "workspace remove",
      summary: "Ask a repository no more; `.` ends a workspace of inner repositories",
      load: async () => (await import("./workspace_command.ts")).WORKSPACE_REMOVE,
    },
    {
      name: "workspace status",
      summary: "Show the state of each repository, its packages and what it imports",
      load: async () => (await import("./workspace_command.ts")).WORKSPACE_STATUS,
    },
  ],
  openOthers: async (parts) =>
    (await import("./project_workspace.ts")).createProjectWorkspace(parts),
};
