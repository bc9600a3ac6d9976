/**
 * The learning of one project: it writes what a session was and became, keeps what it confirmed, and tells
 * the next request of it. Nothing of it can fail a session: what goes wrong is a notice.
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { SessionRecord } from "../../session/records.ts";
import type {
  FindDefined,
  Learning,
  Noted,
  SavedState,
  Suggestion,
} from "../../workflow/context/learning.ts";
import type { LearnedTerm } from "./agreement.ts";
import type { AgreementMaker, LearnedTermList, SaveResult } from "./agreement_folder.ts";
import { AgreementFolder } from "./agreement_folder.ts";
import type { FindSymbol } from "./check_symbols.ts";
import { CheckLog } from "./prices/check_log.ts";
import { checkHits } from "./check_symbols.ts";
import { confirmTerm, isLearnable } from "./confirm.ts";
import type { DecisionLine, LearnedState } from "./decision_log.ts";
import { buildDecision, buildDecisionId, isDecided, parseDecision } from "./decision_log.ts";
import { JsonlLog, withLogLock } from "./jsonl_log.ts";
import {
  buildRecallFields,
  checkMap,
  findAgreements,
  findFailures,
  toMapFields,
} from "./recall.ts";
import type { OutcomeLine, OutcomeResult } from "./outcome_log.ts";
import {
  buildAmendment,
  buildOutcome,
  buildReported,
  findDueOutcomeId,
  findLastWork,
  keepFinalOutcomes,
  parseOutcome,
  wentWrongAsSmall,
} from "./outcome_log.ts";
import { appendSuggestion } from "./suggestions.ts";
import { computeStats } from "./stats.ts";

/** What the learning works with. */
export interface LearningOptions {
  /** Absolute path of the project's `.code-intel` folder; it need not exist. */
  readonly codeIntelDir: string;
  readonly clock: Clock;
  /** Finds where a symbol is defined now. */
  readonly findSymbol: FindSymbol;
}

/** What a person says of a piece of work. */
export interface HandOutcome {
  readonly result: OutcomeResult;
  readonly reason: string | null;
  readonly phase?: string;
  readonly symbols: readonly string[];
  readonly files: readonly string[];
  /** Words of requests that the symbols stand for; with it a learned term is made. */
  readonly term?: string;
}

/** What is on record of earlier work. */
export interface LearnedLogs {
  readonly decisions: readonly DecisionLine[];
  readonly outcomes: readonly OutcomeLine[];
  /** Lines of both logs that could not be read; they count for nothing. */
  readonly damaged: number;
}

/** What the program remembers across sessions. */
export class ProjectLearning implements Learning {
  readonly #options: LearningOptions;
  readonly #logsDir: string;
  readonly #decisions: JsonlLog<DecisionLine>;
  readonly #outcomes: JsonlLog<OutcomeLine>;
  readonly #checks: CheckLog;
  readonly #agreements: AgreementFolder;
  /** Lines that could not be written; nothing is tried again in this process. */
  readonly #failed = new Set<string>();

  /** @param options What it works with; nothing is read or written before the first call. */
  constructor(options: LearningOptions) {
    this.#options = options;
    const folder = join(options.codeIntelDir, "logs");
    this.#logsDir = folder;
    this.#decisions = new JsonlLog({ folder, name: "decisions", parse: parseDecision });
    this.#outcomes = new JsonlLog({ folder, name: "outcomes", parse: parseOutcome });
    this.#checks = new CheckLog(options.codeIntelDir);
    this.#agreements = new AgreementFolder(join(options.codeIntelDir, "agreements"));
  }

  /**
   * Writes the lines that a state makes due and that are not there yet: the decision, a question to the
   * user, the end. It can be called as often as one likes; each line is written once.
   */
  async note(saved: SavedState): Promise<Noted> {
    const { state } = saved;
    const at = this.#toNow();
    await this.#checks.addSession(state);
    const decisionId = buildDecisionId(state.sessionId);
    const dueId = findDueOutcomeId(state);
    const hasDecision = this.#decisions.isKnown(decisionId) || this.#failed.has(decisionId) ||
      !isDecided(saved);
    const isOver = dueId === null || this.#outcomes.isKnown(dueId) || this.#failed.has(dueId);
    if (hasDecision && isOver) return NOTHING;
    const failed: unknown[] = [];
    if (!hasDecision) {
      await this.#addDecision(saved, at).catch((failure) => {
        // Reported once: a folder that cannot be written stays so, and must not cost each call a wait.
        this.#failed.add(decisionId);
        failed.push(failure);
      });
    }
    const kept = isOver ? NOTHING : await this.#close(saved, dueId, at).catch((failure): Noted => {
      this.#failed.add(dueId);
      failed.push(failure);
      return NOTHING;
    });
    const notices = failed.slice(0, 1).map((failure) =>
      formatNotice("What the session was or became is not in .code-intel/logs", failure)
    );
    return { ...kept, notices: [...kept.notices, ...notices] };
  }

  readonly noteProof: Learning["noteProof"] = (cost) => this.#checks.add(cost);
  readonly readPrices: Learning["readPrices"] = () => this.#checks.readPrices();

  async #addDecision({ state, loadPlan }: SavedState, at: string): Promise<void> {
    if (await this.#decisions.has(buildDecisionId(state.sessionId))) return;
    const isFirst = (await this.#decisions.read()).lines.length === 0;
    await this.#decisions.add(buildDecision(state, { at, isFirst, plan: await loadPlan() }));
  }

  /** What a due line says, with the learned term that it closes. */
  async #close(saved: SavedState, dueId: string, at: string): Promise<Noted> {
    if (await this.#outcomes.has(dueId)) return NOTHING;
    const records = await saved.loadRecords();
    // Before the line, which says that all is done: a kill in between only repeats the agreement.
    const kept = await this.#learn(saved, records, at);
    await this.#outcomes.add(buildOutcome(dueId, { ...saved, records, at }));
    return kept;
  }

  async #learn(
    saved: SavedState,
    records: readonly SessionRecord[],
    at: string,
  ): Promise<Noted> {
    if (!isLearnable(saved.state)) return NOTHING;
    try {
      const agreement = confirmTerm({ ...saved, records, changed: await saved.loadChanged(), at });
      if (agreement === null) return NOTHING;
      const result = await this.#keep(agreement, "session");
      if (result.kind === "saved") return { notices: [], learned: [result.name] };
      return { notices: result.kind === "full" ? [FULL] : [], learned: [] };
    } catch (failure) {
      return {
        notices: [formatNotice("The agreement of the session is not kept", failure)],
        learned: [],
      };
    }
  }

  async #keep(agreement: LearnedTerm, by: AgreementMaker): Promise<SaveResult> {
    return await withLogLock(this.#logsDir, () => this.#agreements.save(agreement, by));
  }

  /**
   * Fields of a start reply about earlier requests like this one: learned terms whose symbols exist, the
   * names of stale ones, and failures with their root cause. Empty where there is nothing.
   */
  async recall(query: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const known = await this.#read();
      const maxHits = LIMITS.recalledItems.value;
      // More than are shown, as some may turn out to be stale.
      const hits = findAgreements(query, known, { maxHits: maxHits * 2 });
      const checked = await checkHits(hits, this.#options.findSymbol);
      const failures = findFailures(query, known.outcomes, {
        maxFailures: LIMITS.recalledFailures.value,
      });
      return buildRecallFields({
        agreements: checked.hits.slice(0, maxHits),
        stale: checked.stale,
        failures,
      });
    } catch (failure) {
      return { recall_failed: formatNotice("Earlier work could not be looked up", failure) };
    }
  }

  /**
   * How many sessions that were judged small went wrong at one of these symbols or files; 0 where that cannot be looked
   * up.
   */
  async countTroubled(
    { symbols, files }: { readonly symbols: readonly string[]; readonly files: readonly string[] },
  ): Promise<number> {
    const { lines } = await this.#outcomes.read().catch(() => ({ lines: [] }));
    return keepFinalOutcomes(lines).filter((line) =>
      wentWrongAsSmall(line) &&
      (line.symbols.some((name) => symbols.includes(name)) ||
        line.files.some((path) => files.includes(path)))
    ).length;
  }

  /**
   * Amends the outcome of the last finished work: it has failed after all. Nothing is
   * removed; the same reason given twice is written once.
   *
   * @returns The session that is amended; null when none is on record.
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
   */
  async amendLast(reason: string): Promise<{ readonly sessionId: string | null } | null> {
    const { lines } = await this.#outcomes.read();
    const last = findLastWork(lines);
    if (last === undefined) return null;
    const isSame = last.outcome === "amended" && last.rootCause === cleanCause(reason);
    if (!isSame) {
      await this.#outcomes.add(buildAmendment(last, {
        recordId: `outcome_${last.sessionId ?? "hand"}_amended_${this.#toStamp()}`,
        at: this.#toNow(),
        result: "failure",
        rootCause: cleanCause(reason),
      }));
    }
    return { sessionId: last.sessionId };
  }

  /**
   * Records what a person says: about a session on record, about one that is not over (`state`), or
   * about work without a session.
   *
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
   */
  async recordByHand(
    said: HandOutcome,
    about: { readonly sessionId: string | null; readonly state: LearnedState | null },
  ): Promise<{ readonly recordId: string }> {
    const { sessionId, state } = about;
    const { lines } = await this.#outcomes.read();
    const earlier = sessionId === null
      ? undefined
      : lines.findLast((line) => line.sessionId === sessionId);
    const recordId = `outcome_${sessionId ?? "hand"}_reported_${this.#toStamp()}`;
    const reported = {
      recordId,
      at: this.#toNow(),
      result: said.result,
      rootCause: said.reason === null ? null : cleanCause(said.reason),
      ...(said.phase === undefined ? {} : { phase: said.phase }),
      symbols: said.symbols,
      files: said.files,
    };
    await this.#outcomes.add(
      earlier === undefined ? buildReported(state, reported) : buildAmendment(earlier, reported),
    );
    return { recordId };
  }

  /** The learned term that a person's words make, or null where term or symbols are missing. */
  toHandAgreement(said: HandOutcome, sessionId: string | null): Promise<LearnedTerm | null> {
    return Promise.resolve(learnByHand(said, sessionId, this.#toNow()));
  }

  /** Path, relative to the project, of the file that {@link keepAgreement} would write. */
  async toAgreementPath(agreement: LearnedTerm): Promise<string> {
    return `.code-intel/agreements/${await this.#agreements.toName(agreement)}`;
  }

  /**
   * Keeps a learned term, or adds to the one that is there.
   *
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
   */
  async keepAgreement(agreement: LearnedTerm): Promise<SaveResult> {
    return await this.#keep(agreement, "person");
  }

  /**
   * Adds a suggestion of an agent to `logs/suggestions.md`, which people read.
   *
   * @returns Why it could not be written; null when it was.
   */
  async addSuggestion(suggestion: Suggestion): Promise<string | null> {
    try {
      await appendSuggestion(this.#logsDir, suggestion, this.#toNow());
      return null;
    } catch (failure) {
      return formatNotice("The suggestion could not be kept", failure);
    }
  }

  /** Both logs. */
  async readLogs(): Promise<LearnedLogs> {
    const [decisions, outcomes] = await Promise.all([
      this.#decisions.read(),
      this.#outcomes.read(),
    ]);
    return {
      decisions: decisions.lines,
      outcomes: outcomes.lines,
      damaged: decisions.damaged + outcomes.damaged,
    };
  }

  /** All learned terms, also rejected ones, and the files that are none. */
  async listAgreements(): Promise<LearnedTermList> {
    return await this.#agreements.list();
  }

  /** What became of sessions, for reports about all of them. */
  async readOutcomes() {
    const { outcomes, damaged } = await this.readLogs();
    return { finals: keepFinalOutcomes(outcomes), counts: computeStats([], outcomes), damaged };
  }

  /** What a session taught. */
  async listLearned(sessionId: string) {
    const { agreements } = await this.#agreements.list();
    return agreements.filter(({ sessions }) => sessions.includes(sessionId));
  }

  /** Reads every learned term again and says which the code has left behind; what cannot be read is said too. */
  async checkMap(findDefined: FindDefined): Promise<Readonly<Record<string, unknown>>> {
    this.#agreements.forget();
    try {
      const [list, { lines }] = await Promise.all([this.#agreements.list(), this.#outcomes.read()]);
      return toMapFields(await checkMap(list, lines, findDefined));
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      return { failed: failure.message };
    }
  }

  /** The learned terms that fit a question, best first. */
  async search(query: string, options: { readonly maxHits: number }) {
    const hits = findAgreements(query, await this.#read(), options);
    return hits.map(({ document, score }) => ({ ...document, score }));
  }

  async #read() {
    const [{ agreements }, { lines: outcomes }] = await Promise.all([
      this.#agreements.list(),
      this.#outcomes.read(),
    ]);
    return { agreements, outcomes };
  }

  #toNow(): string {
    return this.#options.clock.now().toISOString();
  }

  /** Unlike any other of this project: the time, and chance for what happens in one millisecond. */
  #toStamp(): string {
    const digits = this.#toNow().replaceAll(/\D/g, "");
    return `${digits}_${crypto.randomUUID().slice(0, 8)}`;
  }
}

const NOTHING: Noted = { notices: [], learned: [] };
const FULL =
  "No agreement was kept: .code-intel/agreements holds as many as are read. Delete those that are not needed.";
const MAX_CAUSE_CHARS = 500;

function cleanCause(reason: string): string {
  return reason.replaceAll(/\s+/g, " ").trim().slice(0, MAX_CAUSE_CHARS);
}

/** What went wrong as a sentence for the reply; a bug is no such thing. */
function formatNotice(what: string, failure: unknown): string {
  if (!(failure instanceof CodeIntelError)) throw failure;
  return `${what}: ${failure.message}`;
}

function learnByHand(said: HandOutcome, id: string | null, at: string): LearnedTerm | null {
  if (said.term === undefined || said.symbols.length === 0 || said.result !== "success") {
    return null;
  }
  const session = id === null ? "" : ` about ${id}`;
  return {
    terms: [said.term],
    symbols: said.symbols,
    files: said.files,
    sessions: id === null ? [] : [id],
    confirmed: 1,
    learnedAt: at,
    updatedAt: at,
    isRejected: false,
    evidence: [`recorded by hand${session} on ${at.slice(0, 10)}`],
  };
}
