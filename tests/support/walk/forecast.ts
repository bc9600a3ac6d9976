/** Says, by the model alone, what the disk has to be after a submission, and moves the model on. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Reply } from "../session/session_driver.ts";
import type { Walk } from "./walk.ts";
import type { Sight } from "./disk.ts";
import type { Files, Row } from "./model.ts";
import * as model from "./model.ts";

type Data = Readonly<Record<string, unknown>>;

/** Steps at which nothing was sent by hand yet, as a rule. */
const EARLY: readonly string[] = ["DOCUMENT_RESEARCH", "QUERY_FRAME"];

/** What the rules of the ledger make of one submission. */
export class Forecast {
  readonly #walk: Walk;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** The files after a submission that was answered so. */
  async afterSubmit(
    data: Data,
    { state, before, reply, after }: {
      readonly state: Reply;
      readonly before: Sight;
      readonly reply: Reply;
      readonly after: Sight;
    },
  ): Promise<Files> {
    // Before the plan files may be written with a grant until the first step is sent by hand.
    const isEarly = state.gateLevel === "auto" && EARLY.includes(state.stage) &&
      Object.keys(state.summaries).length === 0;
    const isWriting = state.stage === "READY_IMPL" || isEarly;
    const cleared = new Set<string>(
      isWriting
        ? state.clearances.filter(({ visit }: Reply) => visit === state.visit)
          .map(({ path }: Reply) => path)
        : [],
    );
    const { head } = state.ledger;
    const isMoved = head.branch !== before.branch || head.commit !== before.commit;
    const seen = model.inspect(this.#walk.watcher, this.#walk.model, before.files, cleared);
    // What is written where the guard allowed it is the agent's by the ledger, whoever wrote it.
    for (const path of model.diff(this.#walk.model.ledger, before.files)) {
      if (cleared.has(path)) this.#walk.takeAsAgents(path);
    }
    this.#walk.model = seen.model;
    this.#walk.loose = new Set(seen.findings);
    const isFound = isMoved || seen.findings.length > 0;
    if (isFound) await this.#walk.expectSnapshot(before.files, "what was found");
    const rows = data.change_resolution as readonly Reply[] | undefined;
    if (rows !== undefined) {
      if (reply.resolved === undefined) return before.files;
      return await this.#predictRows(rows, {
        state,
        before,
        reply,
        after,
        findings: seen.findings,
        cleared,
      });
    }
    const isLeaving = data.park === true || data.abandon === true ||
      data.user_decision === "park" || data.user_decision === "abandon";
    if (isFound && !isLeaving) {
      this.#expectFindings(reply, seen.findings, isMoved);
      return before.files;
    }
    if (reply.ok !== true) return before.files;
    await this.#walk.expectSnapshot(before.files, "what was submitted");
    const files = await this.#predictEffects({ state, before, reply, after, isLeaving });
    await this.#walk.expectSnapshot(files, "what was accepted");
    return files;
  }

  #expectFindings(reply: Reply, findings: readonly string[], isMoved: boolean): void {
    equal(reply.ok, false, "findings were passed over");
    const found = reply.problems.map(({ code, path }: Reply) =>
      code === "unexpected_commit" ? "HEAD" : path
    );
    deepEqual(found.sort(), [...isMoved ? ["HEAD"] : [], ...findings].sort(), "the findings");
  }

  async #predictRows(
    rows: readonly Reply[],
    { state, before, reply, after, findings, cleared }: {
      readonly state: Reply;
      readonly before: Sight;
      readonly reply: Reply;
      readonly after: Sight;
      readonly findings: readonly string[];
      readonly cleared: ReadonlySet<string>;
    },
  ): Promise<Files> {
    const [row] = rows;
    let { files } = before;
    let all = cleared;
    if (row.path === "HEAD") {
      const { head } = state.ledger;
      const wasOn = state.workspace.taskBranch === before.branch;
      const from = await this.#walk.watcher.readTree(head.commit);
      const isForward = await this.#walk.watcher.git(
        "merge-base",
        "--is-ancestor",
        head.commit,
        before.commit,
      ).then(() => true, () => false);
      if (row.action === "person" && isForward) {
        const to = await this.#walk.watcher.readTree(before.commit);
        const commit = { from, to, disk: files };
        this.#walk.model = model.acceptCommit(this.#walk.watcher, this.#walk.model, commit, {
          isOnTask: wasOn,
        });
      } else if (row.action === "undo" && head.branch !== before.branch) {
        files = await this.afterSwitch(
          before,
          before.commit,
          // The branch is switched to as it is, and then taken back with the files left alone.
          before.tips.get(`refs/heads/${head.branch}`) ?? head.commit,
          files,
        );
      }
    } else {
      const input = { model: this.#walk.model, disk: files, findings };
      const settled = model.settle(this.#walk.watcher, input, rows.map(toRow));
      // An agent that says a change is its own is believed where it may write; the diff shows it in the review.
      for (const path of settled.cleared) this.#walk.takeAsAgents(path);
      this.#walk.model = settled.model;
      files = settled.disk;
      all = new Set([...cleared, ...settled.cleared]);
    }
    const seen = model.inspect(this.#walk.watcher, this.#walk.model, files, all);
    this.#walk.model = seen.model;
    const now = (await this.#walk.state())?.ledger.head;
    const isMoved = now.branch !== after.branch || now.commit !== after.commit;
    if (seen.findings.length > 0 || isMoved) {
      this.#expectFindings(reply, seen.findings, isMoved);
      await this.#walk.expectSnapshot(files, "what was found after settling");
    } else equal(reply.ok, true, "nothing is left to settle");
    return files;
  }

  /** Files as a switch between commits leaves them: those that differ between the two. */
  async afterSwitch(before: Sight, from: string, to: string, files: Files): Promise<Files> {
    const [one, other] = await Promise.all([
      this.#walk.watcher.readTree(from),
      this.#walk.watcher.readTree(to),
    ]);
    const paths = model.diff(one, other);
    for (const path of paths) {
      const now = before.files.get(path);
      ok(
        now === one.get(path) || now === other.get(path),
        `${path} was switched although somebody had changed it`,
      );
    }
    return model.adopt(files, other, paths);
  }

  async #predictEffects(
    { state, before, reply, after, isLeaving }: {
      readonly state: Reply;
      readonly before: Sight;
      readonly reply: Reply;
      readonly after: Sight;
      readonly isLeaving: boolean;
    },
  ): Promise<Files> {
    let { files } = before;
    const { baseline } = this.#walk.model;
    if (isLeaving) {
      if (reply.restored !== true) return files;
      this.#walk.model = { ...this.#walk.model, ledger: baseline };
      return baseline;
    }
    if (reply.conflicts !== undefined && reply.parked !== true) return await this.#trust(after);
    if (state.stage === "READY_PLAN" && after !== null) {
      const now = await this.#walk.state();
      if (now?.stage === "READY_IMPL") this.#walk.model = { ...this.#walk.model, plan: files };
    }
    if (reply.restored_to !== undefined) {
      files = reply.restored_to === "plan" ? this.#walk.model.plan ?? files : baseline;
    }
    if (reply.discarded_files !== undefined) {
      const discarded = this.#toDiscarded(before, after, reply.discarded_files);
      files = model.adopt(files, baseline, discarded);
    }
    if (reply.committed !== true && before.commit !== after.commit) {
      files = await this.afterSwitch(before, before.commit, after.commit, files);
    }
    if (reply.committed === true) await this.#expectCommit(before, after);
    this.#walk.model = { ...this.#walk.model, ledger: files };
    if (reply.choice === "delete" || reply.choice === "merge") {
      this.#walk.model = { ...this.#walk.model, baseline: files };
    }
    return files;
  }

  /** After a merged base the files are the merge's; only what nobody may lose is checked. */
  async #trust(after: Sight): Promise<Files> {
    const state = await this.#walk.state();
    const baseline = await this.#walk.watcher.readTree(state.workspace.baselineTree);
    const ledger = await this.#walk.watcher.readTree(state.ledger.tree);
    // The task of the conflict is the plan from here on, with what the base brought.
    const plan = await this.#walk.watcher.readTree(state.workspace.planTree);
    this.#walk.model = { ...this.#walk.model, baseline, ledger, plan };
    deepEqual(model.toLines(after.files), model.toLines(ledger), "the ledger after a merged base");
    deepEqual(model.toLines(after.files), model.toLines(plan), "the plan after a merged base");
    return after.files;
  }

  /**
   * The named files, and the former names of those that git takes for renamed; where several new files could
   * be the renamed one, the disk tells which git took.
   */
  #toDiscarded(before: Sight, after: Sight, named: readonly string[]): readonly string[] {
    const { baseline } = this.#walk.model;
    const changed = model.diff(baseline, before.files);
    const added = changed.filter((path) => !baseline.has(path));
    const renamed = changed.filter((path) => !before.files.has(path)).filter((path) => {
      const version = baseline.get(path);
      const alike = added.filter((name) => this.#isLike(before.files.get(name), version));
      if (!alike.some((name) => named.includes(name))) return false;
      return alike.length === 1 || after.files.get(path) === version;
    });
    return [...named, ...renamed];
  }

  /** Whether git would call one file the other renamed: texts of two parts are alike, so are copies. */
  #isLike(one: string | undefined, other: string | undefined): boolean {
    if (one === undefined || other === undefined) return false;
    const parts = [one, other].map((version) => this.#walk.watcher.partsOf(version));
    return one.split(" ")[1] === other.split(" ")[1] ||
      (parts[0] !== undefined && parts[1] !== undefined);
  }

  /** The session's commit has no part of a text that only the person changed. */
  async #expectCommit(before: Sight, after: Sight): Promise<void> {
    const from = await this.#walk.watcher.readTree(before.commit);
    const to = await this.#walk.watcher.readTree(after.commit);
    for (const path of model.diff(from, to)) {
      const old = this.#walk.watcher.partsOf(from.get(path) ?? "");
      const now = this.#walk.watcher.partsOf(to.get(path) ?? "");
      if (old !== undefined && now !== undefined) {
        // A file that the agent made anew has no part of the person's.
        const isOld = now.person === old.person || now.person === "new";
        ok(
          isOld || this.#walk.mixed.has(path),
          `the person's part of ${path} was committed: ${now.person}`,
        );
      }
    }
  }
}

function toRow({ path, action, until_end: isUntilEnd }: Reply): Row {
  return { path, action, isUntilEnd: isUntilEnd === true };
}
