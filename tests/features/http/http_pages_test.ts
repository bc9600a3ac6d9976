/** The pages of features over HTTP: what each says of itself, and when one is drawn anew. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { createHttpPages } from "../../../src/features/http/serve_http.ts";
import type { Services } from "../../../src/services/services_api.ts";
import type { FeaturePage, LivePage } from "../../../src/services/extension.ts";

const SERVICES = {} as Services;

function create(
  loadServices = () => Promise.resolve(SERVICES),
  live: LivePage = {
    readMark: () => Promise.resolve("mark"),
    draw: () => Promise.resolve("<p>drawn</p>"),
  },
): ReturnType<typeof createHttpPages> {
  const pages: readonly FeaturePage[] = [
    {
      kind: "open",
      path: "/",
      announcement: "a page",
      draw: () => Promise.resolve({ text: "<p>open</p>", policy: "default-src 'none'" }),
    },
    { kind: "guarded", path: "/live", open: () => Promise.resolve(live) },
  ];
  return createHttpPages(pages, loadServices);
}

async function ask(
  pages: ReturnType<typeof createHttpPages>,
  path: string,
  mark = "",
): Promise<Response> {
  const answer = pages.get(path);
  if (answer === undefined) throw new Error(`no page at ${path}`);
  return await answer({ headers: new Headers(mark === "" ? {} : { "if-none-match": mark }) });
}

Deno.test("an open page loads nothing of the project, may be framed by nobody, and is kept by nobody", async () => {
  const response = await ask(create(() => Promise.reject(new Error("loaded"))), "/");
  equal(
    response.headers.get("content-security-policy"),
    "default-src 'none'; frame-ancestors 'none'",
  );
  equal(response.headers.get("cache-control"), "no-store");
  equal(await response.text(), "<p>open</p>");
});

Deno.test("a guarded page is drawn anew only where something happened, and opened once", async () => {
  const pages = create();
  const first = await ask(pages, "/live");
  equal(await first.text(), "<p>drawn</p>");
  const mark = first.headers.get("etag") ?? "";
  const [same, other] = [await ask(pages, "/live", mark), await ask(pages, "/live", '"other"')];
  deepEqual([first.status, same.status, other.status], [200, 304, 200]);
  await other.body?.cancel();
});

Deno.test("a guarded page says in words that the server began in a folder that is no project, where it was once an error", async () => {
  const failure = new CodeIntelError("not_a_project", '"/" is no project', { hint: "Name one." });
  const response = await ask(create(() => Promise.reject(failure)), "/live");
  equal(response.status, 200);
  match(await response.text(), /is no project[^]*Name one\./);
  await rejects(ask(create(() => Promise.reject(new Error("a bug"))), "/live"), /a bug/);
});
