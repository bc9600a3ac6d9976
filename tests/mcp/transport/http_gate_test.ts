/** Who may talk to the server over HTTP, as rows of what a request says of itself. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { checkRequest } from "../../../src/mcp/transport/http_gate.ts";

const TOKEN = "t".repeat(43);
const RIGHT = { host: "127.0.0.1:8080", authorization: `Bearer ${TOKEN}` };

const PAGES = [{ kind: "open", path: "/" }, { kind: "guarded", path: "/report" }] as const;

function check(headers: Readonly<Record<string, string>>, path = "/mcp"): Response | null {
  // The address of a request is made from its host header, which only the header itself can lie about.
  return checkRequest(new Request(`http://127.0.0.1:8080${path}`, { headers }), TOKEN, {
    pages: PAGES,
  });
}

const ROWS: readonly (readonly [Readonly<Record<string, string>>, number | null, path?: string])[] =
  [
    [RIGHT, null],
    [{ ...RIGHT, host: "localhost:1" }, null],
    [{ ...RIGHT, origin: "http://localhost:6274" }, null],
    [{ ...RIGHT, authorization: `bearer  ${TOKEN}` }, null],
    [{ ...RIGHT, host: "evil.example" }, 403],
    [{ ...RIGHT, host: "127.0.0.1.evil.example:8080" }, 403],
    [{ authorization: RIGHT.authorization }, 403],
    [{ ...RIGHT, origin: "https://evil.example" }, 403],
    [{ ...RIGHT, origin: "null" }, 403],
    [RIGHT, null, "/"],
    [{ host: RIGHT.host }, null, "/"],
    [{ host: "evil.example" }, 403, "/"],
    [{ host: RIGHT.host, origin: "https://evil.example" }, 403, "/"],
    [{ host: RIGHT.host }, 401, "/report"],
    [RIGHT, null, "/report"],
    [{ ...RIGHT, host: "evil.example" }, 403, "/report"],
    [RIGHT, 404, "/report/more"],
    [RIGHT, 404, "/toString"],
    [RIGHT, 404, "/mcp/more"],
    [RIGHT, 404, "/.well-known/oauth-protected-resource"],
    [{ host: RIGHT.host }, 401],
    [{ ...RIGHT, authorization: `Bearer ${TOKEN}x` }, 401],
    [{ ...RIGHT, authorization: "Bearer" }, 401],
    [{ ...RIGHT, authorization: `Basic ${TOKEN}` }, 401],
    [{ ...RIGHT, authorization: TOKEN }, 401],
  ];

Deno.test("checkRequest() lets programs of this machine with the token pass, and nobody else", () => {
  for (const [headers, status, path] of ROWS) {
    equal(check(headers, path)?.status ?? null, status, JSON.stringify([headers, path]));
  }
});

Deno.test("checkRequest() says what is missing, and a wrong token from none", async () => {
  const none = check({ host: RIGHT.host });
  const wrong = check({ ...RIGHT, authorization: "Bearer nonsense" });
  equal(none?.headers.get("www-authenticate"), 'Bearer realm="code-intel"');
  match(wrong?.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
  const { jsonrpc, id, error } = await wrong?.json();
  deepEqual([jsonrpc, id, error.code], ["2.0", null, -32000]);
  match(error.message, /token's file/);
});

Deno.test("checkRequest() refuses methods that are not served with the ones that are: TRACE was an internal error", () => {
  for (const method of ["TRACE", "OPTIONS", "PUT", "PATCH", "HEAD", "PROPFIND"]) {
    // A request for TRACE cannot be made by hand, but comes.
    const request = { method, url: "http://127.0.0.1:8080/mcp", headers: new Headers(RIGHT) };
    const response = checkRequest(request as Request, TOKEN);
    deepEqual([response?.status, response?.headers.get("allow")], [405, "GET, POST, DELETE"]);
  }
});

Deno.test("checkRequest() knows no page where none is served, as in a hub", () => {
  for (const path of ["/", "/report"]) {
    const request = new Request(`http://127.0.0.1:8080${path}`, { headers: RIGHT });
    equal(checkRequest(request, TOKEN)?.status, 404);
  }
});
