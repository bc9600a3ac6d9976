/** What sharing adds to the program: analyses that are made once for a whole team. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const SHARE_FEATURE: Feature = {
  name: "share",
  commands: [
    {
      name: "share push",
      summary: "Give analyses to a remote, so that no other machine makes them again (for CI)",
      load: async () => (await import("./share_command.ts")).SHARE_PUSH,
    },
    {
      name: "share pull",
      summary: "Bring the analyses that a remote shares",
      load: async () => (await import("./share_command.ts")).SHARE_PULL,
    },
    {
      name: "share status",
      summary: "Show what is shared, and which packs are refused",
      load: async () => (await import("./share_command.ts")).SHARE_STATUS,
    },
  ],
  openShared: async (parts) => (await import("./share.ts")).openShared(parts),
  beforeSync: async (services, signal) => {
    const { openShare } = await import("./share.ts");
    await openShare(services).pullWhenDue(signal);
  },
  checks: [{
    id: "share",
    title: "Shared index",
    run: async (services) => {
      const [{ openShare }, { checkShare }] = await Promise.all([
        import("./share.ts"),
        import("./share_check.ts"),
      ]);
      return checkShare(await openShare(services).readStatus());
    },
  }],
};
