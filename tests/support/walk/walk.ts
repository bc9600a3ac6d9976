/**
 * Random walks: an agent, a person and the real server work on one real repository, and after each call
 * what the disk, the snapshots, the ledger and the person's index are is held against the model.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runOnTerminal } from "../server/cli.ts";
import type { McpClient } from "../server/mcp_client.ts";
import type { Random } from "../random.ts";
import { pick } from "../random.ts";
import type { Project, Reply, Session } from "../session/session_driver.ts";
import { openServer } from "../session/session_driver.ts";
import type { Action } from "./actions.ts";
import type { Sight } from "./disk.ts";
import { Watcher } from "./disk.ts";
import { Forecast } from "./forecast.ts";
import type { Files, Model } from "./model.ts";
import * as model from "./model.ts";

type Data = Readonly<Record<string, unknown>>;

/** The person's last word on a path; undefined for a file that they removed. */
type Wishes = Map<string, string | undefined>;

/** One walk: what is true of the project, and what has to be. */
export class Walk {
  readonly project: Project;
  readonly session: Session;
  readonly random: Random;
  readonly watcher: Watcher;
  /** What was done, a line each, so that a failure can be read. */
  readonly log: string[] = [];
  number = 0;
  model: Model = model.begin(new Map());
  /** Every version of a file that lay on the disk when a snapshot had to be taken. */
  readonly owed = new Set<string>();
  /** Commits that were the tip of a branch. */
  readonly commits = new Set<string>();
  /** What the person did to files and nobody else undid. */
  readonly wishes: Wishes = new Map();
  readonly forecast: Forecast;
  #other: McpClient | null = null;

  constructor(project: Project, session: Session, random: Random) {
    this.project = project;
    this.session = session;
    this.random = random;
    this.watcher = new Watcher(project);
    this.forecast = new Forecast(this);
  }

  /** Adds a line to the log. */
  note(line: string): void {
    this.log.push(`${this.log.length + 1}. ${line}`);
  }

  /** The checkpoint's state; null once the session is over. */
  async state(): Promise<Reply | null> {
    return (await this.session.checkpoint().catch(() => null))?.state ?? null;
  }

  /** The session is new: what is there is where it starts from. */
  async begun(): Promise<void> {
    const sight = await this.watcher.see();
    await this.watcher.readRefs();
    await this.expectSnapshot(sight.files, "the start");
    this.model = model.begin(sight.files);
    this.mixed.clear();
  }

  /** Some snapshot of the session has to hold these files; they are owed from now on. */
  async expectSnapshot(files: Files, why: string): Promise<void> {
    const ref = await this.watcher.findSnapshot(this.session.id, files);
    ok(ref !== undefined, `no snapshot has the files of ${why}`);
    for (const [path, version] of files) this.owed.add(`${path} ${version}`);
  }

  /** Does something beside the server; what the agent changes is no longer as the person wants it. */
  async deed(who: "agent" | "person" | "git", deeds: readonly Action[]): Promise<void> {
    const before = await this.watcher.see();
    const { project, random } = this;
    const done = await pick(random, deeds)({ project, random, number: ++this.number });
    const after = await this.watcher.see();
    const changed = model.diff(before.files, after.files);
    this.note(`${who}: ${done}${changed.length === 0 ? "" : ` [${changed.join(", ")}]`}`);
    for (const path of changed) {
      if (who === "person") this.wishes.set(path, after.files.get(path));
      else this.#changeWish(path, after.files.get(path));
    }
  }

  /** Somebody else wrote a file: where the person's part is as it was, the rest is no wish of theirs. */
  #changeWish(path: string, now: string | undefined): void {
    const wish = this.wishes.get(path);
    if (wish === undefined || now === undefined) this.wishes.delete(path);
    else if (this.#hasSamePart(wish, now)) this.wishes.set(path, now);
    else this.wishes.delete(path);
  }

  /** By the ledger the file is the agent's from now on, whoever wrote it. */
  takeAsAgents(path: string): void {
    this.wishes.delete(path);
    this.mixed.add(path);
  }

  #hasSamePart(one: string, other: string): boolean {
    const [first, second] = [this.watcher.partsOf(one), this.watcher.partsOf(other)];
    return first !== undefined && first.person === second?.person;
  }

  /** Does the work of a step, which may write files that the write guard allows. */
  async work(action: () => Promise<Data>): Promise<Data> {
    const before = await this.watcher.see();
    const data = await action();
    const after = await this.watcher.see();
    for (const path of model.diff(before.files, after.files)) {
      this.#changeWish(path, after.files.get(path));
    }
    return data;
  }

  /** Calls the server and holds everything that it may never change against what was there. */
  async call(
    name: string,
    action: () => Promise<Reply>,
    expect: (before: Sight, reply: Reply, after: Sight) => Promise<Files>,
  ): Promise<Reply> {
    const before = await this.watcher.see();
    for (const commit of before.tips.values()) this.commits.add(commit);
    const reply = await action();
    const after = await this.watcher.see();
    const problems = (reply.problems ?? []).map((problem: Reply) =>
      `${problem.code} ${problem.path ?? ""}`.trim()
    );
    const result = reply.ok === true ? "ok" : `${reply.error}: ${problems.join(", ")}`;
    this.note(`${name} → ${result}, now at ${this.session.place()} on ${after.branch}`);
    if (reply.ok !== true) {
      for (const problem of reply.problems ?? []) ok(problem.hint, `no hint: ${show(problem)}`);
    }
    await this.watcher.readRefs();
    this.#expectNothingLost(before, after);
    const files = await expect(before, reply, after);
    deepEqual(model.toLines(after.files), model.toLines(files), "the disk");
    await this.#expectPerson(before, after);
    await this.#expectIndex(before, after);
    await this.#expectModel();
    return reply;
  }

  #expectNothingLost(before: Sight, after: Sight): void {
    for (const [path, version] of [...before.files, ...before.ignored]) {
      if (after.files.get(path) === version || after.ignored.get(path) === version) continue;
      ok(
        this.watcher.kept.has(`${path} ${version}`),
        `${path} ${version} was changed and not kept`,
      );
    }
    equal(after.stash, before.stash, "the stash");
    for (const [name, commit] of before.tips) {
      const isTask = name.includes("llm_task_");
      const isBase = name === "refs/heads/main" || name === `refs/heads/${after.branch}`;
      if (!isTask && !isBase) equal(after.tips.get(name), commit, `the branch ${name}`);
    }
  }

  /** What the person did and the ledger knows stays, save in files that a commit holds. */
  async #expectPerson(before: Sight, after: Sight): Promise<void> {
    const head = await this.watcher.readTree(before.commit);
    for (const [path, wish] of this.wishes) {
      const now = after.files.get(path);
      if (now === wish) continue;
      const isLoose = this.loose.has(path);
      const isCommitted = head.get(path) === before.files.get(path);
      const isAgents = wish !== undefined && now !== undefined && this.#hasSamePart(wish, now);
      const isMixed = this.mixed.has(path) && this.model.baseline.get(path) !== wish;
      ok(
        isLoose || isCommitted || isAgents || isMixed,
        `the person's ${path} was changed from ${this.#describe(wish)} to ${
          this.#describe(now)
        }, ` +
          `the baseline has ${this.#describe(this.model.baseline.get(path))}`,
      );
      if (isAgents) this.wishes.set(path, now);
      else this.wishes.delete(path);
    }
  }

  #describe(version: string | undefined): string {
    const parts = version === undefined ? undefined : this.watcher.partsOf(version);
    return parts === undefined ? String(version) : JSON.stringify(parts);
  }

  /** Files that the guard let the agent write: what the person does to them may not be told apart. */
  readonly mixed = new Set<string>();

  /** Paths whose present version the ledger does not know: the server was not told whose it is. */
  loose: ReadonlySet<string> = new Set();

  /** What the person staged stays, or is what HEAD has now, or is kept by a ref. */
  async #expectIndex(before: Sight, after: Sight): Promise<void> {
    const from = await this.watcher.readTree(before.commit);
    const to = await this.watcher.readTree(after.commit);
    for (const [path, version] of before.index) {
      const now = after.index.get(path);
      if (now === version || from.get(path) === version || to.get(path) === version) continue;
      ok(this.watcher.kept.has(`${path} ${version}`), `the staged ${path} ${version} is lost`);
      ok(from.get(path) !== to.get(path), `the staged ${path} was replaced without need`);
    }
  }

  /** Ledger, baseline and the plan's tree of the checkpoint are those of the model. */
  async #expectModel(): Promise<void> {
    const state = await this.state();
    if (state === null || state.pending !== null) return;
    const read = async (tree: string | null) =>
      tree === null ? null : model.toLines(await this.watcher.readTree(tree));
    deepEqual(await read(state.ledger.tree), model.toLines(this.model.ledger), "the ledger");
    deepEqual(
      await read(state.workspace.baselineTree),
      model.toLines(this.model.baseline),
      "the baseline",
    );
    const { plan } = this.model;
    if (plan !== null) {
      deepEqual(await read(state.workspace.planTree), model.toLines(plan), "the plan");
    }
  }

  /** Sends a payload; the answer may be a refusal. */
  async submit(data: Data): Promise<Reply> {
    const state = await this.state();
    const name = `submit ${JSON.stringify(data).slice(0, 160)}`;
    // Beside a resolution a summary would be the payload of some steps.
    const send = data.change_resolution === undefined
      ? () => this.session.submit(data)
      : () => this.session.call("submit_phase", { data });
    return await this.call(name, send, async (before, reply, after) => {
      return await this.forecast.afterSubmit(data, { state, before, reply, after });
    });
  }

  /** Asks where the session stands; a parked one that is named is resumed. */
  async resume(): Promise<Reply> {
    const { id } = this.session;
    const state = await this.state();
    return await this.call(
      "resume",
      () => this.session.call("get_session_status", { session_id: id }),
      async (before, reply, after) => {
        await this.expectSnapshot(before.files, "the resume");
        if (reply.ok !== true) return before.files;
        const isAway = state.workspace.taskBranch !== null &&
          state.workspace.taskBranch !== before.branch;
        const files = isAway
          ? await this.forecast.afterSwitch(before, before.commit, after.commit, before.files)
          : before.files;
        const parked = await this.watcher.readTree(state.workspace.parkTree);
        this.model = model.resume(this.watcher, this.model, parked, files);
        return files;
      },
    );
  }

  /** Kills the server as a crash would and goes on with another one. */
  async kill(): Promise<void> {
    await this.session.client.kill();
    this.session.client = await openServer(this.project);
    this.note("killed the server");
    await this.status();
  }

  /** Goes on with a second server beside the first. */
  async swap(): Promise<void> {
    const next = this.#other ?? await openServer(this.project);
    this.#other = this.session.client;
    this.session.client = next;
    this.note("went on with the other server");
  }

  /** Asks where the session stands; the server has to answer. */
  async status(): Promise<Reply> {
    const reply = await this.session.call("get_session_status");
    ok(reply.ok === true || reply.error === "no_active_session", show(reply));
    return reply;
  }

  /** Sends a payload and kills the server meanwhile, or sends it to two servers at once. */
  async race(data: Data, how: "killed" | "twice"): Promise<void> {
    const before = await this.watcher.see();
    const params = { name: "submit_phase", arguments: { data: this.session.toData(data) } };
    const line = (id: string) =>
      JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    const id = `race-${++this.number}`;
    if (how === "killed") {
      await this.session.client.sendRaw(line(id));
      await new Promise((resolve) => setTimeout(resolve, this.random() * 250));
      await this.session.client.kill();
      this.session.client = await openServer(this.project);
    } else {
      if (this.#other === null) await this.swap();
      const clients = [this.session.client, this.#other].filter((client) => client !== null);
      await Promise.all(clients.map((client) => client.sendRaw(line(id))));
      await Promise.all(clients.map((client) => client.waitFor(id)));
    }
    this.note(`sent ${JSON.stringify(data).slice(0, 100)} (${how})`);
    await this.status();
    const after = await this.watcher.see();
    await this.watcher.readRefs();
    this.#expectNothingLost(before, after);
    await this.#expectIndex(before, after);
    const state = await this.state();
    if (state === null) return;
    // How far the call came is chance; what the session may touch by it is not.
    const baseline = await this.watcher.readTree(state.workspace.baselineTree);
    const ledger = await this.watcher.readTree(state.ledger.tree);
    const plan = state.workspace.planTree;
    deepEqual(model.toLines(ledger), model.toLines(after.files), "the ledger after a race");
    this.model = {
      ...this.model,
      baseline,
      ledger,
      plan: plan === null ? null : await this.watcher.readTree(plan),
    };
    await this.#expectPerson(before, after);
  }

  /** The person brings a snapshot back by the command, and has exactly it. */
  async restore(paths: readonly string[], isExact: boolean): Promise<void> {
    const own = [...this.watcher.refs].filter(([ref]) =>
      new RegExp(`^refs/code-intel/${this.session.id}/\\d+$`).test(ref)
    );
    const [ref, tree] = pick(this.random, own);
    const number = String(Number(ref.split("/").at(-1)));
    const before = await this.watcher.see();
    const words = ["restore", this.session.id, "--to", number, ...isExact ? ["--exact"] : []];
    const shown = await runOnTerminal([...words, ...paths], {
      cwd: this.project.dir,
      env: { ...this.project.env },
      typed: "y\n",
    });
    this.note(`${words.join(" ")} ${paths.join(" ")}`);
    const after = await this.watcher.see();
    await this.watcher.readRefs();
    this.#expectNothingLost(before, after);
    const wanted = await this.watcher.readTree(tree);
    const changed = model.diff(before.files, wanted).filter((path) =>
      (paths.length === 0 || paths.includes(path)) && (isExact || wanted.has(path))
    );
    deepEqual(
      model.toLines(after.files),
      model.toLines(model.adopt(before.files, wanted, changed)),
      shown,
    );
    deepEqual([...after.index], [...before.index], "restore changed the index");
    if (changed.length > 0) await this.expectSnapshot(before.files, "what restore overwrote");
    for (const path of changed) this.wishes.delete(path);
    if ((await this.state())?.status !== "active") return;
    // Exactly what was brought back is the person's.
    this.model = model.bookToPerson(this.watcher, this.model, after.files, changed);
    for (const path of changed) this.wishes.set(path, after.files.get(path));
    await this.#expectModel();
  }

  /** Everything that was owed can be brought back; commits of anybody are reachable. */
  async finish(): Promise<void> {
    await this.watcher.readRefs();
    for (const owed of this.owed) ok(this.watcher.kept.has(owed), `${owed} is in no snapshot`);
    const reachable = new Set((await this.watcher.git("rev-list", "--all")).split("\n"));
    for (const commit of this.commits) {
      if (this.#handDropped.has(commit)) continue;
      ok(reachable.has(commit), `the commit ${commit} is lost`);
    }
    const { files } = await this.watcher.see();
    for (const [path, wish] of this.wishes) equal(files.get(path), wish, `the person's ${path}`);
  }

  readonly #handDropped = new Set<string>();

  /** Remembers tips that a deed by hand took away: they are not the server's to keep. */
  async dropTips(action: () => Promise<void>): Promise<void> {
    const before = await this.watcher.git("rev-list", "--all");
    await action();
    const after = new Set((await this.watcher.git("rev-list", "--all")).split("\n"));
    for (const commit of before.split("\n")) if (!after.has(commit)) this.#handDropped.add(commit);
  }

  async close(): Promise<void> {
    await this.#other?.close().catch(() => {});
  }

  /** Paths that some snapshot has. */
  owedPaths(): ReadonlySet<string> {
    return new Set([...this.owed].map((line) => line.replace(/ \d{6} \w+$/, "")));
  }
}

function show(reply: Reply): string {
  return JSON.stringify(reply, null, 1);
}
