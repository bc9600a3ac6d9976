/** What the server over HTTP adds to the program: clients by `serve --http`, and the pages of features in a browser. */
import type { Feature } from "../../cli/command.ts";

/** The row. */
export const HTTP_FEATURE: Feature = {
  name: "http",
  commands: [],
  serveHttp: async (options) => await (await import("./serve_http.ts")).serveOverHttp(options),
};
