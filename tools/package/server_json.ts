/**
 * Makes `server.json`, by which the registry of MCP servers knows the packages. Bundles are not in it: the format cannot
 * say for which machine a file is, so that a client would load the wrong one; npm and pip choose by themselves.
 */
import type { Origin } from "./facts.ts";
import { FACTS } from "./facts.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Registries with a package, and the program that runs one out of each. */
const REGISTRIES = [
  { registryType: "npm", runtimeHint: "npx" },
  { registryType: "pypi", runtimeHint: "uvx" },
] as const;

/** The content of `server.json`. */
export function toServerJson(origin: Origin): Readonly<Record<string, unknown>> {
  return {
    $schema: SCHEMA,
    name: origin.serverName,
    title: FACTS.title,
    description: FACTS.summary,
    version: FACTS.version,
    repository: { url: origin.page, source: origin.source },
    packages: REGISTRIES.map((registry) => ({
      ...registry,
      identifier: FACTS.name,
      version: FACTS.version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "serve" }],
    })),
  };
}
