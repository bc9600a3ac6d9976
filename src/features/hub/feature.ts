/** What a hub adds to the program: the repositories of an organisation in one store. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const HUB_FEATURE: Feature = {
  name: "hub",
  commands: [
    {
      name: "hub add",
      summary: "Add a repository to an organisation's hub (PostgreSQL)",
      load: async () => (await import("./commands/hub.ts")).HUB_ADD,
    },
    {
      name: "hub list",
      summary: "Show the repositories of a hub, and what became of their jobs",
      load: async () => (await import("./commands/hub.ts")).HUB_LIST,
    },
    {
      name: "hub refresh",
      summary: "Bring a hub's repositories up to date",
      load: async () => (await import("./commands/hub.ts")).HUB_REFRESH,
    },
    {
      name: "hub work",
      summary: "Do the jobs of a hub as they come",
      load: async () => (await import("./commands/hub.ts")).HUB_WORK,
    },
    {
      name: "hub serve",
      summary: "Serve a hub over HTTP, read only",
      load: async () => (await import("./commands/hub_serve.ts")).HUB_SERVE,
    },
    {
      name: "hub remove",
      summary: "Take a repository out of a hub",
      load: async () => (await import("./commands/hub.ts")).HUB_REMOVE,
    },
  ],
  threads: [
    "src/features/hub/postgres/link_worker.ts",
    "src/features/hub/answers/answer_worker.ts",
  ],
};
