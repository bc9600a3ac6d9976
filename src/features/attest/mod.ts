/**
 * Proofs that others can check: statements about commits, signed and kept as git notes, and the check of both.
 *
 * @module
 */
export { attestCommit } from "./attest_commit.ts";
export type { AcceptedNotes, Attested } from "./attest_commit.ts";
export type { ChainContext, ChainRow, ChainRules, FoundNote } from "./chain.ts";
export { judgeCommit } from "./chain.ts";
export type { ChainCode, ChainCodeRow, ChainLevel } from "./chain_codes.ts";
export { CHAIN_CODES } from "./chain_codes.ts";
export type { Rerun, RerunCommand, RerunOptions } from "./rerun.ts";
export { rerun } from "./rerun.ts";
export type { StatementInput } from "./statement.ts";
export { toPayload, toStatement, toSubject } from "./statement.ts";
export type { StatementStore, StatementStoreOptions } from "./statement_file.ts";
export { createStatementStore } from "./lazy.ts";
export type {
  AttestedCommand,
  AttestedRun,
  Statement,
  StatementResult,
} from "./statement_schema.ts";
export { parseStatement, toStatementSchema } from "./statement_schema.ts";
export type { Summary, SummaryRow } from "./summary.ts";
export { countFindings, toHeadline, toLevel, toMarkdown, toText, toWord } from "./summary.ts";
export type { ChainReport, VerifyChainOptions } from "./verify_chain.ts";
export { verifyChain } from "./verify_chain.ts";
