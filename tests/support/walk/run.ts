/** Runs random walks from a seed: which action comes next, how findings are settled, how a walk ends. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createRandom, pick } from "../random.ts";
import type { Reply } from "../session/session_driver.ts";
import { createProject, openSession } from "../session/session_driver.ts";
import { runGit } from "../temp_repo.ts";
import { Walk } from "./walk.ts";
import { AGENT_ACTIONS, GIT_ACTIONS, SHARED_PATHS, USER_ACTIONS, WALK_FILES } from "./actions.ts";
import { clear, prepareStep, writeAgentPart } from "./steps.ts";

/** Most refusals of one step in a row before a walk counts as stuck. */
const MOST_REFUSALS = 6;

/** One random walk; a failure names the seed and all that was done. */
export async function runWalk(seed: number, options: { readonly actions: number }): Promise<void> {
  const random = createRandom(seed);
  await using project = await createProject({ files: WALK_FILES });
  await project.repo.git("branch", "side");
  const flags = pick(random, [{}, { fast: true }, { fast: true }, { no_doc: true }]);
  await using session = await openSession(project, { flags, edits: { "src/a.ts": "" } });
  const walk = new Walk(project, session, random);
  try {
    await project.repo.write({ ".env": "SECRET=1\n", "a.log": "log\n" });
    for (let deed = 0; deed < 3; deed++) await walk.deed("person", USER_ACTIONS);
    await start(walk);
    for (let action = 0; action < options.actions; action++) {
      if (session.isOver) await start(walk);
      await pick(random, ACTIONS)(walk);
    }
    await end(walk);
  } catch (error) {
    const said = error instanceof Error ? error.stack : String(error);
    throw new Error(`WALK_SEED=${seed}\n${walk.log.join("\n")}\n${said}`);
  } finally {
    await walk.close();
  }
}

/** Starts a session; the person makes way where the start is refused. */
async function start(walk: Walk): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const before = await walk.watcher.see();
    const reply = await walk.session.begin({ on_unfinished: "abandon" });
    walk.note(`start → ${reply.ok === true ? "ok" : reply.error} at ${walk.session.place()}`);
    if (reply.ok === true) return await walk.begun();
    ok(reply.problems[0].hint, JSON.stringify(reply));
    equal(JSON.stringify(await walk.watcher.see()), JSON.stringify(before));
    await walk.deed("git", [async ({ project: { dir } }) => {
      if (attempt > 0) await runGit(dir, ["stash", "-q", "-u"]).catch(() => "");
      if (attempt > 1) await runGit(dir, ["reset", "-q", "--hard"]);
      return await runGit(dir, ["switch", "-q", "main"]).then(() => "git switch main", String);
    }]);
  }
  throw new Error("no session could be started");
}

const FINDINGS: readonly string[] = ["unauthorized_change", "unexpected_commit"];

/** What a refusal lists as found: paths, and `HEAD`. */
function toFound(reply: Reply): readonly string[] {
  return (reply.problems ?? []).filter(({ code }: Reply) => FINDINGS.includes(code))
    .map(({ code, path }: Reply) => code === "unexpected_commit" ? "HEAD" : path);
}

/** Looks for findings without doing the step, where an empty payload is none, and settles them. */
async function look(walk: Walk): Promise<void> {
  if (walk.session.step === 14 || walk.session.step === 19) return;
  await settle(walk, toFound(await walk.submit({})));
}

/** Settles what is found with actions that the problems offer; leaves the session where it cannot. */
async function settle(walk: Walk, first: readonly string[]): Promise<void> {
  const { random } = walk;
  let found = first;
  for (let attempt = 0; attempt < 12 && found.length > 0; attempt++) {
    const isHead = found.includes("HEAD");
    const reply = await walk.submit({
      change_resolution: isHead
        ? [{ path: "HEAD", action: pick(random, ["undo", "person"]), reason: "so" }]
        : toRows(walk, found, attempt),
    });
    if (reply.ok === true) return;
    if (reply.resolved !== undefined) found = toFound(reply);
    else if (isHead && attempt > 3) {
      await goBack(walk);
      return;
    }
  }
  if (found.length > 0) await leave(walk, "the findings stay");
}

function toRows(walk: Walk, unsettled: readonly string[], attempt: number): readonly Reply[] {
  const { random } = walk;
  const actions = attempt > 6 ? ["person"] : ["restore", "person", "person", "authorize"];
  const one = random() < 0.3 ? [pick(random, unsettled)] : unsettled;
  return one.map((path) => ({
    path,
    action: pick(random, actions),
    reason: "so",
    ...(random() < 0.1 ? { until_end: true } : {}),
  })).map(({ until_end, ...row }) =>
    until_end === true && row.action === "person" ? { ...row, until_end } : row
  );
}

/** The person goes back to the branch of the session, as the hint of a HEAD that is elsewhere says. */
async function goBack(walk: Walk): Promise<void> {
  const state = await walk.state();
  const wanted = state.ledger.head.branch ?? state.workspace.baseBranch ?? "main";
  await walk.deed("git", [async ({ project: { dir } }) => {
    await runGit(dir, ["stash", "-q", "-u"]).catch(() => "");
    await runGit(dir, ["reset", "-q", "--hard"]);
    return await runGit(dir, ["switch", "-q", wanted]).then(() => `git switch ${wanted}`, String);
  }]);
}

/** Parking and abandoning are open in spite of everything. */
async function leave(walk: Walk, reason: string): Promise<void> {
  const restore = walk.random() < 0.5;
  const reply = await walk.submit({ abandon: true, reason, restore });
  ok(reply.ok === true && walk.session.isOver, `abandon was refused: ${JSON.stringify(reply)}`);
  walk.session.reply = reply;
}

/** Does the work of the step and submits it, settling what is found on the way. */
async function step(walk: Walk): Promise<void> {
  const { session, random } = walk;
  let codes: readonly string[] = [];
  let rounds = 0;
  for (let refusals = 0; refusals < MOST_REFUSALS; refusals++) {
    if (session.isOver) return;
    if (session.reply.user_escalation === true) {
      const decision = pick(random, ["continue", "accept", "park"]);
      const reply = await walk.submit({ user_decision: decision, user_reason: "They said so" });
      if (reply.ok === true) return await afterParking(walk, reply);
      await walk.submit({ park: true, reason: "the person is away" });
      return await afterParking(walk, { parked: true });
    }
    const number = ++walk.number;
    const input = { session, random, number, refusals, codes };
    const data = await walk.work(() => prepareStep(input));
    const reply = await walk.submit(data);
    if (reply.ok === true) return await afterParking(walk, reply);
    const found = toFound(reply);
    if (found.length > 0) {
      // Findings are no refusal of the step: it is sent again once they are settled.
      await settle(walk, found);
      refusals = codes.length === 0 ? -1 : refusals - 1;
      rounds++;
      if (rounds > 8) return;
      continue;
    }
    await walk.status();
    codes = (reply.problems ?? []).map(({ code }: Reply) => code);
  }
  walk.note("stuck");
  await leave(walk, `refused again and again: ${codes.join(", ")}`);
  const isPersons = codes.some((code) => PERSONS_TURN.includes(code));
  ok(isPersons, `the step was refused ${MOST_REFUSALS} times: ${codes.join(", ")}`);
}

/** Refusals after which the person has to do something first. */
const PERSONS_TURN: readonly string[] = [
  "person_changes_in_the_way",
  "person_changes_mixed",
  "head_elsewhere",
  "base_missing",
  "task_branch_missing",
  "merge_conflict",
  // No step of a walk mends what a merged base left in a file.
  "conflict_markers",
  "base_checked_out_elsewhere",
];

async function afterParking(walk: Walk, reply: Reply): Promise<void> {
  if (reply.parked !== true) return;
  await comeBack(walk);
}

async function comeBack(walk: Walk): Promise<void> {
  const { random } = walk;
  while (random() < 0.6) {
    if (random() < 0.3) await gitDeed(walk);
    else await walk.deed("person", USER_ACTIONS);
  }
  for (let attempt = 0; attempt < 3; attempt++) {
    const reply = await walk.resume();
    if (reply.ok === true) return;
    await goBack(walk);
  }
  throw new Error("the parked session could not be resumed");
}

async function gitDeed(walk: Walk): Promise<void> {
  await walk.dropTips(() => walk.deed("git", GIT_ACTIONS));
}

type Action = (walk: Walk) => Promise<void>;

const deedOf = (who: "agent" | "person"): Action => (walk) =>
  walk.deed(who, who === "agent" ? AGENT_ACTIONS : USER_ACTIONS);

/** An edit that the write guard allows, in READY only. */
async function allowedEdit(walk: Walk): Promise<void> {
  const { session, random } = walk;
  const path = pick(random, SHARED_PATHS);
  if (!await clear(session, path)) return;
  await walk.deed("agent", [async () => {
    const done = await writeAgentPart({ session, random, number: walk.number }, path);
    return `allowed: ${done ?? `nothing to do in ${path}`}`;
  }]);
}

async function park(walk: Walk): Promise<void> {
  const reply = await walk.submit({ park: true, reason: "a hotfix" });
  if (reply.ok !== true) throw new Error(`park was refused: ${JSON.stringify(reply)}`);
  await comeBack(walk);
}

async function back(walk: Walk): Promise<void> {
  await walk.submit({ back_to: "EXPLORATION", reason: "Something was forgotten" });
}

const raced = (how: "killed" | "twice"): Action => async (walk) => {
  const { session, random } = walk;
  await look(walk);
  const isPlain = session.step <= 11 && session.step !== 2;
  if (session.isOver || session.reply.user_escalation === true || !isPlain) return;
  const input = { session, random, number: ++walk.number, refusals: 0, codes: [] };
  const data = await walk.work(() => prepareStep(input));
  await walk.race(data, how);
};

async function restore(walk: Walk): Promise<void> {
  const { random } = walk;
  const paths = random() < 0.5 ? [] : [pick(random, ["src/view.ts", "src/a.ts", "notes/mine.md"])];
  await walk.restore(paths.filter((path) => walk.owedPaths().has(path)), random() < 0.5);
}

/** Each action as often as it should come. */
const ACTIONS: readonly Action[] = [
  ...Array.from({ length: 12 }, () => step),
  ...Array.from({ length: 4 }, () => deedOf("agent")),
  ...Array.from({ length: 5 }, () => deedOf("person")),
  ...Array.from({ length: 3 }, () => gitDeed),
  ...Array.from({ length: 3 }, () => allowedEdit),
  look,
  park,
  back,
  (walk) => walk.kill(),
  (walk) => walk.swap(),
  raced("killed"),
  raced("twice"),
  restore,
  (walk) => leave(walk, "not wanted"),
];

/** The session is led to an end, then everything has to be there, and a new one may begin. */
async function end(walk: Walk): Promise<void> {
  const { session, random } = walk;
  if (random() < 0.5) {
    for (let steps = 0; steps < 30 && !session.isOver; steps++) await step(walk);
  }
  if (!session.isOver) await leave(walk, "enough");
  await walk.restore([], true);
  await walk.finish();
  await start(walk);
  await leave(walk, "only to see that it starts");
  await Deno.stat(join(walk.project.dir, ".env"));
}

/** Walks of `WALK_SEED=new`. */
const NEW_WALKS = 20;

/**
 * The seeds of this run: `known` ones, so that a gate says the same of the same code; with `WALK_SEED=n` that one
 * alone, with `WALK_SEED=new` some by the time.
 */
export function toWalkSeeds(known: readonly number[]): readonly number[] {
  const given = Deno.env.get("WALK_SEED");
  if (given === undefined) return known;
  if (given !== "new") return [Number(given)];
  const first = Date.now() % 2 ** 31;
  return Array.from({ length: NEW_WALKS }, (_, at) => first + at);
}
