/** A process that is killed by force leaves no search and no verification command running behind. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { isHere, testNeeding } from "../../support/needs.ts";

/** Far more than it takes; what is waited for is not the time but the end. */
const PATIENCE_MS = 60_000;
const DOOR = JSON.stringify(import.meta.resolve("../../../src/base/processes/process.ts"));

function startServer(code: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", `import * as door from ${DOOR};\n${code}`],
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** The first line of its output. */
async function firstLine(child: Deno.ChildProcess): Promise<string> {
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text.trim();
}

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** `Z` of one that is dead but was not buried by its parent. */
  readonly state: string;
}

/** Every process, without `ps` where there is another way, for not every machine has it. */
async function listProcesses(): Promise<readonly Listed[]> {
  if (!isHere("processes")) {
    const args = ["-A", "-o", "pid=,ppid=,stat=,comm="];
    const { stdout } = await new Deno.Command("ps", { args }).output();
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => {
      const [pid, parent, state = "", name = ""] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), name, state };
    });
  }
  // The runtime gives a program with narrow permissions no /proc.
  const args = ["-c", "cat /proc/[0-9]*/stat 2>/dev/null; :"];
  const { stdout } = await new Deno.Command("sh", { args }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, name = "", state = "", parent] = /^(\d+) \((.*)\) (\S) (\d+)/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), name, state }];
  });
}

/** Whether a process lives. */
async function isRunning(wanted: number): Promise<boolean> {
  const found = (await listProcesses()).find(({ pid }) => pid === wanted);
  return found !== undefined && !found.state.startsWith("Z");
}

async function running(pids: readonly number[]): Promise<readonly number[]> {
  const found = await Promise.all(pids.map(isRunning));
  return pids.filter((_, at) => found[at] === true);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function childrenOf(wanted: number): Promise<readonly string[]> {
  return (await listProcesses()).filter(({ parent }) => parent === wanted).map(({ name }) => name);
}

testNeeding(
  ["posix"],
  "a search and the group of a command outlived a server that was killed by force",
  async () => {
    const file = await Deno.makeTempFile();
    const server = startServer(`
      door.endProgramsWithThisProcess();
      const script = 'echo $$ >> "$1"; sleep 600 & echo $! >> "$1"; wait';
      const args = ["-c", script, "sh", ${JSON.stringify(file)}];
      // Only the program itself is on the list, so it is given no children.
      const alone = ["-c", 'echo $$ >> "$1"; exec sleep 600', "sh", ${JSON.stringify(file)}];
      door.runProcess("sh", alone, { isReadOnly: true, timeoutMs: 600_000 }).catch(() => {});
      door.streamProcess("sh", args, { timeoutMs: 600_000, onPart() {} });
      const count = () => Deno.readTextFileSync(${JSON.stringify(file)}).split("\\n").length - 1;
      while (count() < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      console.log("ready");`);
    equal(await firstLine(server), "ready");
    const pids = (await Deno.readTextFile(file)).trim().split("\n").map(Number);
    equal(pids.length, 3);
    deepEqual(await running(pids), pids);
    server.kill("SIGKILL");
    await server.status;
    const isGone = await until(async () => (await running(pids)).length === 0);
    for (const pid of await running(pids)) Deno.kill(pid, "SIGKILL");
    ok(isGone, "programs run on although the server is dead");
    await Deno.remove(file);
  },
);

testNeeding(
  ["posix"],
  "endProgramsWithThisProcess() takes one helper for all programs, and lets the process end",
  async () => {
    const server = startServer(`
      door.endProgramsWithThisProcess();
      for (let at = 0; at < 20; at++) await door.runProcess("true", [], { isReadOnly: true });
      console.log(Deno.pid);
      await new Promise((resolve) => setTimeout(resolve, 1_500));`);
    const pid = Number(await firstLine(server));
    const helpers = (await childrenOf(pid)).filter((name) => /sh$/.test(name));
    deepEqual(helpers.length, 1);
    equal((await server.status).code, 0);
  },
);

testNeeding(
  ["posix"],
  "a program that has ended is off the list: its number may belong to another by then",
  async () => {
    const bystander = new Deno.Command("sleep", { args: ["600"], stdin: "null" }).spawn();
    const server = startServer(`
      const { createReaper } = await import(${
      JSON.stringify(import.meta.resolve("../../../src/base/processes/reaper.ts"))
    });
      const reaper = createReaper((command, args) => new Deno.Command(command, {
        args: [...args], stdin: "piped", stdout: "null", stderr: "null" }).spawn());
      reaper.add(${bystander.pid});
      reaper.remove(${bystander.pid});
      await new Promise((resolve) => setTimeout(resolve, 300));
      console.log("ready");`);
    equal(await firstLine(server), "ready");
    await server.status;
    await new Promise((resolve) => setTimeout(resolve, 300));
    ok(await isRunning(bystander.pid));
    bystander.kill("SIGKILL");
    await bystander.status;
  },
);

const GIT_DOOR = JSON.stringify(import.meta.resolve("../../../src/git/git.ts"));

testNeeding(
  ["posix"],
  "a git that reads outlived its server for ever, whether that was killed or ended by itself",
  async () => {
    const dir = await Deno.makeTempDir();
    const run = (command: string, ...args: string[]) =>
      new Deno.Command(command, { args, cwd: dir }).output();
    await run("git", "init", "-q");
    await run("mkfifo", "pipe");
    for (const end of ["killed", "ended"]) {
      const server = startServer(`
        const { Git } = await import(${GIT_DOOR});
        if (${end === "killed"}) door.endProgramsWithThisProcess();
        const git = new Git(${JSON.stringify(dir)});
        git.run(["ls-files", "--others", "--exclude-from=pipe"]).catch(() => {});
        console.log(Deno.pid);
        setTimeout(() => Deno.exit(), ${end === "killed" ? 600_000 : 300});`);
      const pid = Number(await firstLine(server));
      let started: readonly number[] = [];
      ok(await until(async () => (started = await gitsOf(pid)).length > 0), "git was not started");
      if (end === "killed") server.kill("SIGKILL");
      await server.status;
      const isGone = await until(async () => (await running(started)).length === 0);
      for (const left of await running(started)) Deno.kill(left, "SIGKILL");
      ok(isGone, `git runs on although the server was ${end}`);
    }
    await Deno.remove(dir, { recursive: true });
  },
);

async function gitsOf(wanted: number): Promise<readonly number[]> {
  const found = (await listProcesses()).filter(({ parent }) => parent === wanted);
  return found.filter(({ name }) => /git$/.test(name)).map(({ pid }) => pid);
}
