/**
 * The protocol: what a client finds over stdio and over HTTP.
 *
 * @module
 */
export { serve, serveHttp } from "./lazy.ts";
export type { ServeHttpOptions } from "../features/http/serve_http.ts";
export { loadHttpToken } from "./transport/http_token.ts";
export type { HttpToken } from "./transport/http_token.ts";
export type { ServeOptions } from "./transport/server.ts";
