/** The desk: commands of a project with their trust and mode, as configuration and disk have them. */
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkConfigText, DEFAULT_CONTEXT } from "../../../src/base/settings/config.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createSeal } from "../../../src/base/files/seal.ts";
import { ProjectVerification } from "../../../src/evidence/runs/project_verification.ts";
import { TrustStore } from "../../../src/evidence/runs/trust.ts";
import { VerificationRunner } from "../../../src/evidence/runs/verification_runner.ts";
import { makeUntrustedProblem } from "../../../src/evidence/runs/project_verification.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const VERIFY = '"verify": [{"name": "test", "run": ["npm", "test"]}]';

async function setUp() {
  const temp = await createTempRepo({ files: { "package.json": '{"scripts": {"test": "a"}}' } });
  const stateDir = await Deno.makeTempDir();
  const seal = createSeal(stateDir);
  const config = { text: `{${VERIFY}}` };
  const trust = new TrustStore({ stateDir, seal, clock: { now: () => new Date() } });
  const createDesk = (projectRoot: string) =>
    new ProjectVerification({
      projectRoot,
      runner: new VerificationRunner({
        clock: SYSTEM_CLOCK,
        projectRoot,
        codeIntelDir: `${projectRoot}/.code-intel`,
        stateDir,
        seal,
        logger: SILENT_LOGGER,
      }),
      trust,
      openRepo: () => openRepository(projectRoot),
      stateDir,
      seal,
      loadConfig: () => {
        const { values, warnings } = checkConfigText(config.text);
        return Promise.resolve({ ...values, warnings });
      },
      loadCoverage: () => Promise.resolve(DEFAULT_CONTEXT.coverage),
    });
  return { temp, config, createDesk, desk: createDesk(temp.dir) };
}

Deno.test("loadCommands() asks again when the command or the text behind it changes", async () => {
  const { temp, config, desk } = await setUp();
  const first = await desk.loadCommands();
  equal(first.isTrusted, false);
  await desk.trustCommands(first, "asked");
  equal((await desk.loadCommands()).isTrusted, true);
  await temp.write({ "package.json": '{"scripts": {"test": "true"}}' });
  equal((await desk.loadCommands()).isTrusted, false);
  await temp.write({ "package.json": '{"scripts": {"test": "a"}}' });
  equal((await desk.loadCommands()).isTrusted, true);
  config.text = '{"verify": [{"name": "test", "run": ["npm", "test", "--quiet"]}]}';
  equal((await desk.loadCommands()).isTrusted, false);
});

Deno.test("a worktree of the same repository is not asked again, another repository is", async () => {
  const { temp, desk, createDesk } = await setUp();
  await desk.trustCommands(await desk.loadCommands(), "terminal");
  const linked = `${await Deno.makeTempDir()}/linked`;
  await temp.git("worktree", "add", "-q", linked);
  equal((await createDesk(linked).loadCommands()).isTrusted, true);
  const copy = await Deno.makeTempDir();
  await Deno.copyFile(`${temp.dir}/package.json`, `${copy}/package.json`);
  equal((await createDesk(copy).loadCommands()).isTrusted, false);
});

Deno.test("loadCommands() needs no trust where there is nothing to run", async () => {
  const { config, desk } = await setUp();
  config.text = '{"verify_baseline": "off"}';
  const { commands, isTrusted, baseline, problems } = await desk.loadCommands();
  deepEqual([commands, isTrusted, baseline, problems], [[], true, "off", []]);
});

Deno.test("readEnforcement() is strict until a person confirmed exactly the other mode", async () => {
  const { config, desk } = await setUp();
  equal(await desk.readEnforcement(), "strict");
  config.text = '{"enforcement": "off"}';
  equal(await desk.readEnforcement(), "strict");
  const key = await desk.readRepositoryKey();
  await desk.trust.confirmMode(key, "warn", "terminal");
  equal(await desk.readEnforcement(), "strict");
  await desk.trust.confirmMode(key, "off", "terminal");
  equal(await desk.readEnforcement(), "off");
  config.text = '{"enforcement": "strict"}';
  equal(await desk.readEnforcement(), "strict");
});

Deno.test("makeUntrustedProblem() names the commands and the way on", async () => {
  const { desk } = await setUp();
  const { code, message, hint } = makeUntrustedProblem(await desk.loadCommands());
  deepEqual([code, message], [
    "verify_untrusted",
    "Nobody allowed these commands to run yet: test",
  ]);
  equal(String(hint).includes("`code-intel trust`"), true);
});

Deno.test("loadCommands() keeps the rows that can be read, and names those that cannot", async () => {
  const { temp, config, desk } = await setUp();
  await using _ = temp;
  config.text = JSON.stringify({
    verify: [{ name: "good", run: ["true"] }, { name: "text", run: "npm test" }, {
      name: "none",
      run: [],
    }],
  });
  const { commands, faults } = await desk.loadCommands();
  deepEqual(commands.map(({ name }) => name), ["good"]);
  deepEqual(faults.map(({ at }) => at), ["verify.1.run", "verify.2.run"]);
  const fixed = await desk.readSettings();
  config.text = "{broken";
  deepEqual((await desk.loadCommands()).faults.length, 1);
  deepEqual((await desk.loadCommands(fixed)).commands, commands);
});
