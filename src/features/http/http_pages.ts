/** Answers requests for the pages of features: each as its row draws it, with headers that keep it to this server. */
import { createHash } from "node:crypto";
import { CodeIntelError } from "../../base/errors.ts";
import { toProblem } from "../../base/problem.ts";
import { PAGE_POLICY, toProblemPage } from "../../pages/page.ts";
import type { Services } from "../../services/services_api.ts";
import type { FeaturePage, GuardedPage, LivePage } from "../../services/extension.ts";

/** Answers a request for a page. */
export type AnswerPage = (request: Pick<Request, "headers">) => Promise<Response>;

/** Makes what answers, by path; the services are loaded with the first question that needs them. */
export function createHttpPages(
  pages: readonly FeaturePage[],
  loadServices: () => Promise<Services>,
): ReadonlyMap<string, AnswerPage> {
  return new Map(pages.map((page) => [
    page.path,
    page.kind === "guarded" ? answerGuarded(page, loadServices) : async () => {
      const { text, policy } = await page.draw();
      return toResponse(text, policy);
    },
  ]));
}

function answerGuarded(page: GuardedPage, loadServices: () => Promise<Services>): AnswerPage {
  let opened: Promise<LivePage> | undefined;
  return async ({ headers }) => {
    const services = await loadServices().catch(toExpected);
    if (services instanceof CodeIntelError) {
      const { code, message, hint } = services;
      return toResponse(toProblemPage(toProblem(code, message, { hint })), PAGE_POLICY);
    }
    const live = await (opened ??= page.open(services));
    const etag = `"${createHash("sha256").update(await live.readMark()).digest("hex")}"`;
    if (headers.get("if-none-match") === etag) {
      return new Response(null, { status: 304, headers: { etag } });
    }
    return toResponse(await live.draw(), PAGE_POLICY, { etag });
  };
}

/** A failure that has a page of its own, such as a folder that is no project. */
function toExpected(failure: unknown): CodeIntelError {
  if (failure instanceof CodeIntelError) return failure;
  throw failure;
}

function toResponse(
  text: string,
  policy: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // A policy in a header can forbid frames, one in the page cannot.
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
