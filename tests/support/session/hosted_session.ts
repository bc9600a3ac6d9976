/**
 * Sessions as `session_driver.ts` drives them, with the real server in the process of the tests instead of one of its own:
 * a new process loads the program and warms it up, which costs more than most sessions do. Not for tests of what a process
 * does or of what becomes of one: kills, several servers at once, standard output, variables of the environment.
 */
import { FEATURES } from "../../../src/features/features.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { serveOverStreams } from "../../../src/mcp/transport/server.ts";
import type { Services } from "../../../src/services/services_api.ts";
import { createServices } from "../../../src/services/services.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import type { McpClient, RunningServer } from "../server/mcp_client.ts";
import { connect, SOURCE_COMMAND } from "../server/mcp_client.ts";
import type { Project } from "./project.ts";
import type { SessionOptions } from "./session_driver.ts";
import * as processes from "./session_driver.ts";
import { Session } from "./session_driver.ts";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";

/** Where an executable is tested instead of the source, it is started. */
const hasSource = SOURCE_COMMAND.length > 1;

/** Starts a server in a project (or a folder of it) without starting a session. */
export async function openServer(project: Project, dir: string = project.dir): Promise<McpClient> {
  if (!hasSource) return await processes.openServer(project, dir);
  return await connect(hostServer(project, dir));
}

/** Starts a server that nobody has greeted. */
export function hostServer(project: Project, dir: string = project.dir): RunningServer {
  const input = new TransformStream<Uint8Array>();
  const output = new TransformStream<Uint8Array>();
  return {
    pid: Deno.pid,
    input: input.writable,
    output: output.readable,
    ended: serve(project, { dir, input: input.readable, output: output.writable }),
    kill: () => {
      throw new Error("a server in the tests' process cannot be killed: take session_driver.ts");
    },
  };
}

interface Place {
  readonly dir: string;
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

async function serve({ env }: Project, { dir, input, output }: Place) {
  const writer = output.getWriter();
  let services: Promise<Services> | undefined;
  await serveOverStreams({
    logger: SILENT_LOGGER,
    loadServices: async () =>
      await (services = createServices({
        features: FEATURES,
        projectDir: dir,
        logger: SILENT_LOGGER,
        offered: TOOLS.map(({ name }) => name),
        analyser: OWN_THREAD,
        get: (name) => env[name] ?? Deno.env.get(name),
      })),
    streams: {
      input,
      write: async (bytes) => {
        await writer.write(bytes);
        return bytes.length;
      },
    },
  });
  await (await services)?.close();
  await writer.close();
  return { code: 0, stderr: "" };
}

/** Starts a server and a session; the session must start. */
export async function startSession(
  project: Project,
  options: SessionOptions = {},
): Promise<Session> {
  return await processes.beginSession(await openSession(project, options));
}

/** The same with a first server in a process of its own, which can be killed; those after it are in the tests' process. */
export async function startProcess(
  project: Project,
  options: SessionOptions = {},
): Promise<Session> {
  const client = await processes.openServer(project, options.projectDir);
  return await processes.beginSession(new Session(project, client, { options, open: openServer }));
}

/** Starts a server for a session that is begun, or resumed, later. */
export async function openSession(
  project: Project,
  options: SessionOptions = {},
): Promise<Session> {
  return await Session.open(project, options, openServer);
}
