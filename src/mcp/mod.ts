/**
 * The protocol: what a client finds over stdio and over HTTP.
 *
 * @module
 */
export { serve, serveHttp, serveHub } from "./lazy.ts";
export type { ServeHubOptions } from "./transport/hub_http.ts";
export type { ServeHttpOptions } from "./transport/http.ts";
export { loadHttpToken } from "./transport/http_token.ts";
export type { HttpToken } from "./transport/http_token.ts";
export type { ServeOptions } from "./transport/server.ts";
