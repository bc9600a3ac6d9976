/** The command `attest`: writes the note of a finished session by hand, signed where git has a key. */
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { openServices, printReply } from "../../cli/answer.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { refuseWithoutGit } from "../../cli/commands/snapshots.ts";
import type { Repository } from "../../git/repository.ts";
import type { ProjectParts } from "../../services/services_api.ts";
import { NOTES_REF } from "../../git/branches/own_refs.ts";
import { isSessionId } from "../../session/session.ts";
import type { AcceptedNotes, Attested } from "./attest_commit.ts";
import { attestCommit } from "./attest_commit.ts";
import { listClaims } from "./claims.ts";
import { readSubject } from "./statement.ts";
import { createStatementStore } from "./statement_file.ts";
import type { Statement } from "./statement_schema.ts";

/** Writes what the session has on record; nothing is run again. */
export const ATTEST: Command = {
  usage: "[COMMIT|SESSION]",
  positionals: [0, 1],
  example: "code-intel attest HEAD",
  options: [{
    name: "unsigned",
    kind: "flag",
    summary: "Write the note without a signature where git cannot sign",
  }],
  async run(invocation) {
    const services = await openServices(invocation);
    const repo = await services.parts.openRepo();
    const reply = repo === null
      ? refuseWithoutGit()
      : await attest(repo, services.parts, invocation);
    return await printReply("attest", reply, invocation);
  },
};

async function attest(
  repo: Repository,
  parts: ProjectParts,
  { positionals, options }: Invocation,
): Promise<Reply> {
  const [wanted = "HEAD"] = positionals;
  const found = isSessionId(wanted)
    ? { session: wanted, commit: null }
    : await findSession(repo, wanted);
  if ("refusal" in found) return found.refusal;
  const statements = await createStatementStore(parts).read(found.session);
  const own = statements.filter((one) => readSubject(one).commit === found.commit);
  const chosen = own.length > 0 ? own : statements;
  if (chosen.length === 0) return refuseUnknown(found.session);
  const isAnyMode = options["unsigned"] === true;
  const accepted: AcceptedNotes = isAnyMode
    ? "any"
    : (await parts.settings.read()).config.values.attest === "signed"
    ? "signed"
    : "unsigned_without_key";
  const rows: Attested[] = [];
  for (const statement of chosen) rows.push(await attestOne(repo, statement, accepted));
  return buildReply(found.session, rows);
}

async function attestOne(
  repo: Repository,
  statement: Statement,
  accepted: AcceptedNotes,
): Promise<Attested> {
  const { commit } = readSubject(statement);
  const found = await listClaims(repo, commit, 1);
  return found.kind === "claims"
    ? await attestCommit(repo, statement, accepted)
    : { commit, kind: "refused", isSigned: false, why: "the commit is not here any more" };
}

async function findSession(
  repo: Repository,
  wanted: string,
): Promise<
  | { readonly session: string; readonly commit: string }
  | { readonly refusal: Reply }
> {
  const listed = await listClaims(repo, wanted, 1);
  const [claim] = listed.kind === "claims" ? listed.claims : [];
  if (claim === undefined) {
    const said = listed.kind === "claims" ? `"${wanted}" names no commit` : listed.said;
    const problem = makeProblem("unknown_commit", said, {
      hint: "Name a commit, or the id of a session such as session_20260131_142530_9f3a.",
    });
    return { refusal: buildRefusal([problem], "invalid_arguments") };
  }
  const [session] = claim.sessions;
  if (session !== undefined) return { session, commit: claim.commit };
  const problem = makeProblem(
    "not_of_a_session",
    `${claim.commit.slice(0, 12)} has no trailer Code-Intel-Session`,
    { hint: "Only commits of sessions have something on record that can be attested." },
  );
  return { refusal: buildRefusal([problem]) };
}

function refuseUnknown(session: string): Reply {
  const problem = makeProblem("statement_not_found", `Nothing is on record of ${session}`, {
    hint:
      "Statements are kept with the files of a session, for 30 days after its end, in the project and the account that made the commit.",
  });
  return buildRefusal([problem]);
}

function buildReply(session: string, rows: readonly Attested[]): Reply {
  const refused = rows.filter(({ kind }) => kind === "refused");
  if (refused.length > 0) {
    const problems = refused.map(({ commit, why }) =>
      makeProblem("not_attested", `No note was written about ${commit.slice(0, 12)}: ${why}`, {
        hint: "Mend that and run the command again, or write the note with --unsigned.",
      })
    );
    return buildRefusal(problems, "not_attested");
  }
  return {
    ok: true,
    session_id: session,
    ref: NOTES_REF,
    notes: rows.map(({ commit, kind, isSigned, why }) => ({
      commit,
      note: kind,
      signed: isSigned,
      ...(why === "" ? {} : { unsigned_because: why }),
    })),
    hint: `Others get the notes with: git push origin ${NOTES_REF}`,
  };
}
