/** The page and the report for people over HTTP: what each says of itself, and when a report is made anew. */
import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { createHttpPages } from "../../../src/features/http/http_pages.ts";
import type { PageReports } from "../../../src/features/http/http_pages.ts";
import { failedSession, sampleOverview, shortSession } from "../report/sample_sessions.ts";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { toProblem } from "../../../src/base/problem.ts";

const NONE = { kind: "refused", problem: toProblem("no_active_session", "No session") } as const;

function create(patch: Partial<PageReports> = {}): ReturnType<typeof createHttpPages> {
  return createHttpPages(() =>
    Promise.resolve({
      session: () => Promise.resolve({ kind: "report", report: shortSession() }),
      overview: () => Promise.resolve({ kind: "report", report: sampleOverview() }),
      readMark: () => Promise.resolve("mark"),
      ...patch,
    })
  );
}

function ask(pages: ReturnType<typeof createHttpPages>, mark = ""): Promise<Response> {
  return pages.report({ headers: new Headers(mark === "" ? {} : { "if-none-match": mark }) });
}

Deno.test("the page holds nothing of a session, may be framed by nobody, and asks its own server alone", async () => {
  const response = create().page();
  const policy = response.headers.get("content-security-policy") ?? "";
  match(
    policy,
    /^default-src 'none';.*script-src 'sha256-[^']+'; connect-src 'self'; frame-ancestors 'none'$/,
  );
  equal(response.headers.get("cache-control"), "no-store");
  doesNotMatch(await response.text(), /Refuse an empty name/);
});

Deno.test("the report is made anew only where something happened", async () => {
  const pages = create();
  const first = await ask(pages);
  match(await first.text(), /Refuse an empty name/);
  const mark = first.headers.get("etag") ?? "";
  const [same, other] = [await ask(pages, mark), await ask(pages, '"other"')];
  deepEqual([first.status, same.status, other.status], [200, 304, 200]);
  await other.body?.cancel();
});

Deno.test("a session that ended stays to be seen, and without one all are shown", async () => {
  let isOver = false;
  const asked: (string | undefined)[] = [];
  const pages = create({
    session: (id) => {
      asked.push(id);
      if (id !== undefined) return Promise.resolve({ kind: "report", report: failedSession() });
      return Promise.resolve(isOver ? NONE : { kind: "report", report: shortSession() });
    },
  });
  await (await ask(pages)).body?.cancel();
  isOver = true;
  match(await (await ask(pages)).text(), /nightly export/);
  deepEqual(asked, [undefined, undefined, shortSession().session.id]);
  const fresh = create({ session: () => Promise.resolve(NONE) });
  match(await (await ask(fresh)).text(), /Sessions of this project/);
});

Deno.test("a record that cannot be read is a page with the problem and the next step", async () => {
  const problem = toProblem("checkpoint_damaged", "No whole file is left", { hint: "Look at it." });
  const pages = create({ session: () => Promise.resolve({ kind: "refused", problem }) });
  match(
    await (await ask(pages)).text(),
    /<h1>No whole file is left<\/h1>\s*<p class="quote">Look at it/,
  );
});

Deno.test("the report says in words that the server began in a folder that is no project, where it was once an error", async () => {
  const failure = new CodeIntelError("not_a_project", '"/" is no project', { hint: "Name one." });
  const pages = createHttpPages(() => Promise.reject(failure));
  const response = await ask(pages);
  equal(response.status, 200);
  match(await response.text(), /is no project[^]*Name one\./);
  await rejects(ask(createHttpPages(() => Promise.reject(new Error("a bug")))), /a bug/);
});
