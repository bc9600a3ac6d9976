/**
 * The statements of a session beside its checkpoint, sealed, so that a note can be written later too: by hand, or with
 * another key. They are archived with the session.
 */
import { join } from "node:path";
import { createSeal } from "../../base/files/seal.ts";
import type { CommitRun } from "../../evidence/runs/verification.ts";
import { readSealedJson, writeSealedJson } from "../../evidence/runs/sealed_json.ts";
import type { ProjectParts } from "../../services/services_api.ts";
import { parseStatement } from "./statement_schema.ts";
import type { Statement } from "./statement_schema.ts";
import { readSubject } from "./statement.ts";

/** The statements of one project's sessions. */
export interface StatementStore {
  /** Keeps a statement in the place of an earlier one about the same commit; call it under the lock of the session. */
  keep(statement: Statement): Promise<void>;
  /** What is kept of a session, oldest first; empty where nothing is, or where its seal does not fit. */
  read(sessionId: string): Promise<readonly Statement[]>;
}

const FORMAT = 1;

/** What the statements of a session say of the runs behind its commits, oldest first. */
export async function readCommitRuns(
  parts: ProjectParts,
  sessionId: string,
): Promise<readonly CommitRun[]> {
  const statements = await createStatementStore(parts).read(sessionId);
  return statements.flatMap(({ predicate: { result, run } }) =>
    result === null ? [] : [{ at: result.at, commands: run?.commands ?? null }]
  );
}

/** Makes the store; nothing is read before the first call. */
export function createStatementStore(
  { codeIntelDir, stateDir }: Pick<ProjectParts, "codeIntelDir" | "stateDir">,
): StatementStore {
  const seal = createSeal(stateDir);
  const sessionsDir = join(codeIntelDir, "sessions");
  const toName = (sessionId: string) => `${sessionId}.statements`;
  const readFile = async (path: string, sessionId: string) => {
    const found = await readSealedJson(path, seal);
    if (found.kind !== "whole") return [];
    const { format, sessionId: of, statements } = found.value;
    if (format !== FORMAT || of !== sessionId || !Array.isArray(statements)) return [];
    return statements.flatMap((value): readonly Statement[] => {
      const parsed = parseStatement(value);
      return parsed.kind === "statement" ? [parsed.statement] : [];
    });
  };
  return {
    keep: async (statement) => {
      const { id: sessionId } = statement.predicate.session;
      const path = join(sessionsDir, toName(sessionId));
      const { commit } = readSubject(statement);
      const others = (await readFile(path, sessionId))
        .filter((other) => readSubject(other).commit !== commit);
      const value = { format: FORMAT, sessionId, statements: [...others, statement] };
      await writeSealedJson(path, value, { seal });
    },
    read: async (sessionId) => {
      const present = await readFile(join(sessionsDir, toName(sessionId)), sessionId);
      return present.length > 0
        ? present
        : await readFile(join(sessionsDir, "archive", toName(sessionId)), sessionId);
    },
  };
}
