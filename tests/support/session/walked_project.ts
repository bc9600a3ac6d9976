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
import { adoptRepo } from "../temp_repo.ts";

/** A project in which a session is under way, and no server runs. */
export interface WalkedProject extends Project {
  /** The session as it stood at the end of the way. */
  readonly walked: Session;
}

/** The way to a step. */
export interface WalkOptions extends SessionOptions {
  /** What is done to the project before the session; name a function of the file, since one made anew is walked anew. */
  readonly before?: (project: Project) => Promise<unknown>;
  /** How the way goes on from the step, where it does; a function of the file, too. */
  readonly on?: (session: Session) => Promise<unknown>;
}

/** Makes a project whose session stands at a step. */
export async function createProjectAt(
  step: number,
  options: WalkOptions = {},
): Promise<WalkedProject> {
  const { before = untouched, on = untouched, ...way } = options;
  const key = `${toNumber(before)} ${toNumber(on)} ${JSON.stringify([step, way])}`;
  const walking = walks.get(key) ?? walk(step, options);
  walks.set(key, walking);
  const { stage, session } = await walking;
  const { dir, stateDir } = await placeStage(stage);
  return { ...adoptProject(await adoptRepo(dir), stateDir), walked: session };
}

/**
 * Starts a server for the session of such a project to go on.
 *
 * @param more what is known of the way only now; `open` starts that server, by default in the tests' process, as those
 * that may follow.
 */
export async function resume(
  project: WalkedProject,
  { open = openServer, ...more }: SessionOptions & { readonly open?: OpenServer } = {},
): Promise<Session> {
  const options = { ...project.walked.options, ...more };
  const session = new Session(project, await open(project), { options, open: openServer });
  session.takeOver(project.walked);
  return session;
}

interface Walk {
  readonly stage: Stage;
  readonly session: Session;
}

const walks = new Map<string, Promise<Walk>>();
const numbers = new Map<unknown, number>();

/** Tells functions apart. */
function toNumber(given: unknown): number {
  const number = numbers.get(given) ?? numbers.size;
  numbers.set(given, number);
  return number;
}

async function untouched(): Promise<void> {}

async function walk(step: number, { before, on, ...way }: WalkOptions): Promise<Walk> {
  await using project = await createProject();
  await before?.(project);
  const session = await beginSession(await openSession(project, way));
  await session.until(step);
  await on?.(session);
  await session.close();
  return { stage: keepStage(project), session };
}
