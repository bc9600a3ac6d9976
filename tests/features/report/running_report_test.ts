/** The pages of the running session: what the open one says of itself, and which report the guarded one shows. */
import { deepStrictEqual as deepEqual, doesNotMatch, match } from "node:assert/strict";
import { makeProblem } from "../../../src/base/problem.ts";
import type { ReportSource } from "../../../src/features/report/gather.ts";
import { drawLivePage, openRunningReport } from "../../../src/features/report/live_page.ts";
import { failedSession, sampleOverview, shortSession } from "./sample_sessions.ts";

const NONE = { kind: "refused", problem: makeProblem("no_active_session", "No session") } as const;

function open(patch: Partial<ReportSource> = {}): ReturnType<typeof openRunningReport> {
  return openRunningReport({
    session: () => Promise.resolve({ kind: "report", report: shortSession() }),
    overview: () => Promise.resolve({ kind: "report", report: sampleOverview() }),
    readMark: () => Promise.resolve("mark"),
    ...patch,
  });
}

Deno.test("the open page holds nothing of a session, and asks its own server alone", () => {
  const { text, policy } = drawLivePage();
  match(policy, /^default-src 'none';.*script-src 'sha256-[^']+'; connect-src 'self'$/);
  doesNotMatch(text, /Refuse an empty name/);
  match(text, /fetch\("\/report"/);
});

Deno.test("a session that ended stays to be seen, and without one all are shown", async () => {
  let isOver = false;
  const asked: (string | undefined)[] = [];
  const page = open({
    session: (id) => {
      asked.push(id);
      if (id !== undefined) return Promise.resolve({ kind: "report", report: failedSession() });
      return Promise.resolve(isOver ? NONE : { kind: "report", report: shortSession() });
    },
  });
  match(await page.draw(), /Refuse an empty name/);
  isOver = true;
  match(await page.draw(), /nightly export/);
  deepEqual(asked, [undefined, undefined, shortSession().session.id]);
  const fresh = open({ session: () => Promise.resolve(NONE) });
  match(await fresh.draw(), /Sessions of this project/);
});

Deno.test("a record that cannot be read is a page with the problem and the next step", async () => {
  const problem = makeProblem("checkpoint_damaged", "No whole file is left", {
    hint: "Look at it.",
  });
  const page = open({ session: () => Promise.resolve({ kind: "refused", problem }) });
  match(await page.draw(), /<h1>No whole file is left<\/h1>\s*<p class="quote">Look at it/);
});
