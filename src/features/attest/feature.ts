/** What statements about commits add to the program: proofs that others can check, as git notes. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const ATTEST_FEATURE: Feature = {
  name: "attest",
  commands: [
    {
      name: "attest",
      summary:
        "Write a session's statement about its commit as a git note, signed where git has a key",
      load: async () => (await import("./attest_command.ts")).ATTEST,
    },
    {
      name: "attest verify",
      summary: "Check commits against their notes, for CI: forged, copied, missing or attested",
      load: async () => (await import("./verify_command.ts")).ATTEST_VERIFY,
    },
  ],
  attest: async (services, made) => (await import("./attest_effect.ts")).attestMade(services, made),
  keepProof: async (...kept) => (await import("./proof_note.ts")).keepProof(...kept),
  readProofs: async (...wanted) => (await import("./proof_note.ts")).readProofs(...wanted),
  readCommitRuns: async (parts, sessionId) =>
    (await import("./statement_file.ts")).readCommitRuns(parts, sessionId),
  docs: [{
    path: "docs/statement.schema.json",
    render: async () => {
      const { buildStatementSchema } = await import("./statement_schema.ts");
      return `${JSON.stringify(buildStatementSchema(), null, 2)}\n`;
    },
  }],
};
