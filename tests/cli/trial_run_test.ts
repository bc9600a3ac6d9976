/** Commands that were just allowed are tried once where the person says yes. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { formatTrialOutcome, tryCommands } from "../../src/cli/commands/trust.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { CommandResult } from "../../src/evidence/runs/run_command.ts";
import type { VerifyCommand } from "../../src/evidence/runs/verify_commands.ts";

function createTerminal(isYes: boolean) {
  const shown: string[] = [];
  const terminal: Pick<Terminal, "confirm" | "err" | "progress"> = {
    confirm: (question) => {
      shown.push(question);
      return Promise.resolve(isYes);
    },
    err: (...lines) => {
      shown.push(...lines);
      return Promise.resolve();
    },
    progress: () => Promise.resolve(),
  };
  return { shown, terminal: terminal as Terminal };
}

const COMMANDS = [
  { name: "good", run: ["git", "--version"], timeoutMs: 60_000 },
  { name: "bad", run: ["git", "no-such-command"], timeoutMs: 60_000 },
  { name: "gone", run: ["no-such-program-here"], timeoutMs: 60_000 },
] as unknown as readonly VerifyCommand[];

Deno.test("tryCommands() runs each command once, and tells output, exit code and time", async () => {
  const { shown, terminal } = createTerminal(true);
  const { signal } = new AbortController();
  const told = await tryCommands(COMMANDS, Deno.cwd(), { terminal, signal });
  equal(told.length, 3);
  match(told[0] ?? "", /^good: exit code 0 after \d/);
  match(told[1] ?? "", /^bad: exit code 1 after \d.* s; what fails here without a change/);
  match(told[2] ?? "", /^gone: could not be started: /);
  match(shown.join("\n"), /Try them now, up to 1 min each\?\ngood:\n {2}git version/);
  deepEqual(await tryCommands(COMMANDS, Deno.cwd(), { ...createTerminal(false), signal }), []);
});

Deno.test("formatTrialOutcome() says of a command that it was ended because it took too long", () => {
  const result = { name: "slow", exitCode: null, durationMs: 60_000, timedOut: true, failure: "x" };
  match(
    formatTrialOutcome(result as CommandResult),
    /^slow: still running after 1 min, so it was ended/,
  );
});
