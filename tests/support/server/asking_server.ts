/**
 * The real server over stdio, whose `submit_phase` and `start_session` put questions to the person: what
 * the workflow does with an asker, without a session around it. Run by tests of elicitation. With the
 * argument `slow`, each look at the clock is two seconds after the one before: every answer comes as late
 * as a person's.
 */
import { FEATURES } from "../../../src/features/features.ts";
import type { Answer, Question } from "../../../src/base/asker.ts";
import { lazyObject } from "../../../src/base/lazy.ts";
import { STDERR_LOGGER } from "../../../src/base/logger.ts";
import { serveOverStdio } from "../../../src/mcp/transport/server.ts";
import { createServices } from "../../../src/services/services.ts";

/** Asks one question after the other and ends at the first that is not answered. */
const QUESTIONS: readonly Question[] = [
  {
    key: "first 1",
    message: "May the tests run?",
    fields: [
      { name: "allow", title: "Run them", type: "boolean", required: true },
      { name: "note", title: "Why", type: "text", required: false },
    ],
  },
  {
    key: "second 1",
    message: "What now?",
    fields: [{
      name: "choice",
      title: "Next",
      type: "choice",
      choices: ["continue", "park"],
      required: true,
    }],
  },
];

let seconds = 0;
const SLOW_CLOCK = { now: () => new Date((seconds += 2) * 1000) };

await serveOverStdio({
  logger: STDERR_LOGGER,
  ...(Deno.args[0] === "slow" ? { clock: SLOW_CLOCK } : {}),
  loadServices: async () => {
    const services = await createServices({
      features: FEATURES,
      projectDir: Deno.cwd(),
      logger: STDERR_LOGGER,
      offered: [],
    });
    return {
      ...services,
      workflow: lazyObject(() => Promise.resolve(services.workflow), {
        hooks: services.workflow.hooks,
        submitPhase: async (data, signal, asker) => {
          const { count } = data as { readonly count: number };
          const answers: (Answer | undefined)[] = [];
          for (const question of QUESTIONS.slice(0, count)) {
            const answer = await asker?.ask(question, signal);
            answers.push(answer);
            if (answer?.kind !== "answered") break;
          }
          STDERR_LOGGER.note(`answers: ${JSON.stringify(answers)}`);
          return { ok: true, answers };
        },
      }),
    };
  },
});
