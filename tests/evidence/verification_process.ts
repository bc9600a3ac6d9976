/** Another process with a runner: starts the run that its argument describes, and waits for its end. */
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { STDERR_LOGGER } from "../../src/base/logger.ts";
import { VerificationRunner } from "../../src/evidence/runs/verification_runner.ts";

const { projectRoot, stateDir, request } = JSON.parse(Deno.args[0] ?? "{}");
const runner = new VerificationRunner({
  clock: SYSTEM_CLOCK,
  projectRoot,
  codeIntelDir: `${projectRoot}/.code-intel`,
  stateDir,
  seal: createSeal(stateDir),
  logger: STDERR_LOGGER,
});
const state = await runner.start(request);
const id = state.kind === "done" ? state.run.id : state.id;
const end = await runner.wait(id, 30_000);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({ first: state.kind, end })));
