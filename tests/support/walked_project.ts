/**
 * Projects whose session stands at a step already, for tests of what comes after it: the way there is gone once for all
 * that begin alike, and each gets a copy of the folders where it ended (`stage_copy.ts`).
 */
import { openServer, openSession } from "./hosted_session.ts";
import type { Project } from "./project.ts";
import { adoptProject, createProject } from "./project.ts";
import type { OpenServer, SessionOptions } from "./session_driver.ts";
import { beginSession, Session } from "./session_driver.ts";
import type { Stage } from "./stage_copy.ts";
import { keepStage, placeStage } from "./stage_copy.ts";
import { adoptRepo } from "./temp_repo.ts";

/** A project in which a session is under way, and no server runs. */
export interface WalkedProject extends Project {
  /** The session as it stood at the end of the way. */
  readonly walked: Session;
}

/** The way to a step. */
export interface WalkOptions extends SessionOptions {
  /** What is done to the project before the session; name a function of the file, since one made anew is walked anew. */
  readonly before?: (project: Project) => Promise<unknown>;
}

/** Makes a project whose session stands at a step, or where the person is asked. */
export async function createProjectAt(
  target: number | "asked",
  options: WalkOptions = {},
): Promise<WalkedProject> {
  const { before = pristine, ...way } = options;
  const ways = walks.get(before) ?? new Map<string, Promise<Walk>>();
  walks.set(before, ways);
  const key = JSON.stringify([target, way]);
  const walking = ways.get(key) ?? walk(target, options);
  ways.set(key, walking);
  const { stage, session } = await walking;
  const { dir, stateDir } = await placeStage(stage);
  return { ...adoptProject(await adoptRepo(dir), stateDir), walked: session };
}

/**
 * Starts a server for the session of such a project to go on.
 *
 * @param first starts that server, default in the tests' process, as those that may follow.
 */
export async function resume(
  project: WalkedProject,
  first: OpenServer = openServer,
): Promise<Session> {
  const { options } = project.walked;
  const session = new Session(project, await first(project), { options, open: openServer });
  session.takeOver(project.walked);
  return session;
}

interface Walk {
  readonly stage: Stage;
  readonly session: Session;
}

const walks = new Map<NonNullable<WalkOptions["before"]>, Map<string, Promise<Walk>>>();

/** A project that nobody touched before the session. */
async function pristine(): Promise<void> {}

async function walk(target: number | "asked", options: WalkOptions): Promise<Walk> {
  const { before, ...way } = options;
  await using project = await createProject();
  await before?.(project);
  const session = await openSession(project, way);
  await beginSession(session);
  await (target === "asked" ? session.untilAsked() : session.until(target));
  await session.close();
  return { stage: keepStage(project), session };
}
