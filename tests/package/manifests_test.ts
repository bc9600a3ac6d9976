/**
 * What is published beside the packages, held to the rules of its format. The published schemas are not copied here; the
 * rules below are those of theirs that our files touch: version 0.3 of the manifest of bundles, and the schema of
 * server.json that the file names.
 */
import {
  deepStrictEqual as deepEqual,
  match,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { z } from "zod";
import { toManifest } from "../../tools/package/bundle.ts";
import { FACTS, PLATFORMS, toOrigin } from "../../tools/package/facts.ts";
import {
  toContainerfile,
  toFormula,
  toScoop,
  toServerJson,
} from "../../tools/package/manifests.ts";
import { toMainPackage } from "../../tools/package/npm.ts";

const ORIGIN = toOrigin("https://github.com/ann/shop/");
const RELEASED = PLATFORMS.map((platform, at) => ({ platform, sha256: `${at}`.repeat(64) }));
/** An exact version: no range, no word. */
const VERSION = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);

const MANIFEST = z.strictObject({
  manifest_version: z.literal("0.3"),
  name: z.string(),
  display_name: z.string(),
  version: VERSION,
  description: z.string(),
  author: z.strictObject({ name: z.string() }),
  repository: z.strictObject({ type: z.string(), url: z.url() }).optional(),
  homepage: z.url().optional(),
  server: z.strictObject({
    type: z.enum(["python", "node", "binary"]),
    entry_point: z.string(),
    mcp_config: z.strictObject({ command: z.string(), args: z.array(z.string()) }),
  }),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string() })).min(1),
  prompts_generated: z.boolean(),
  keywords: z.array(z.string()),
  compatibility: z.strictObject({ platforms: z.array(z.enum(["darwin", "win32", "linux"])) }),
  user_config: z.record(
    z.string(),
    z.strictObject({
      type: z.enum(["string", "number", "boolean", "directory", "file"]),
      title: z.string(),
      description: z.string(),
      required: z.boolean().optional(),
    }),
  ),
});

const SERVER = z.strictObject({
  $schema: z.url(),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: VERSION,
  repository: z.strictObject({ url: z.url(), source: z.string() }),
  packages: z.array(z.strictObject({
    registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
    runtimeHint: z.string(),
    identifier: z.string(),
    version: VERSION,
    transport: z.strictObject({ type: z.literal("stdio") }),
    packageArguments: z.array(
      z.strictObject({ type: z.literal("positional"), value: z.string() }),
    ),
  })),
});

Deno.test("the bundle of each platform has a manifest by the rules, which starts the file that is in it", () => {
  for (const platform of PLATFORMS) {
    for (const origin of [ORIGIN, null]) {
      const { server, compatibility, user_config } = MANIFEST.parse(toManifest(platform, origin));
      equal(server.mcp_config.command, `\${__dirname}/${server.entry_point}`);
      match(server.entry_point, new RegExp(`^server/${platform.file.replace(".", "\\.")}$`));
      deepEqual(compatibility.platforms, [platform.npm.os]);
      const asked = server.mcp_config.args.flatMap((word) =>
        /\{user_config\.(\w+)\}/.exec(word)?.[1] ?? []
      );
      deepEqual(asked, Object.keys(user_config));
    }
  }
});

Deno.test("server.json is by the rules, and the packages that it names carry its name", async () => {
  const { name, packages } = SERVER.parse(toServerJson(ORIGIN));
  equal(name, "io.github.ann/shop");
  equal(toMainPackage(PLATFORMS, ORIGIN)["mcpName"], name);
  equal("mcpName" in toMainPackage(PLATFORMS, null), false);
  for (const { identifier } of packages) equal(identifier, FACTS.name);
  match(toContainerfile(ORIGIN), new RegExp(`io\\.modelcontextprotocol\\.server\\.name="${name}"`));
  const workflow = await Deno.readTextFile(
    new URL("../../.github/workflows/release.yml", import.meta.url),
  );
  for (const kind of ["npm", "wheel", "bundle", "container", "manifests"]) {
    match(workflow, new RegExp(`deno task package ${kind} --repository`), kind);
  }
});

Deno.test("the formula and the manifest of Scoop name each executable once, with its hash", () => {
  const formula = toFormula(RELEASED, ORIGIN);
  const rows = [
    ...formula.matchAll(/on_(macos|linux)|on_(arm|intel)|download\/\S+?\/(\S+)"|sha256 "(\d)/g),
  ]
    .map(([, ...parts]) => parts.find((part) => part !== undefined));
  deepEqual(rows, [
    ...["macos", "intel", "code-intel-macos-x64", "2", "arm", "code-intel-macos-arm64", "3"],
    ...["linux", "intel", "code-intel-linux-x64", "0", "arm", "code-intel-linux-arm64", "1"],
  ]);
  equal(formula.match(/\bdo\b/g)?.length, 7);
  equal(formula.match(/^\s*end$/gm)?.length, 9);
  const scoop = toScoop(RELEASED, ORIGIN);
  deepEqual(scoop?.["architecture"], {
    "64bit": {
      url:
        `https://github.com/ann/shop/releases/download/v${FACTS.version}/code-intel-windows-x64.exe#/code-intel.exe`,
      hash: "4".repeat(64),
    },
  });
  equal(toScoop([], ORIGIN), null);
});

Deno.test("toOrigin() takes the address of a repository and nothing else", () => {
  for (
    const page of [
      "ann/shop",
      "http://github.com/ann/shop",
      "https://github.com/ann",
      "https://example.org/a/b",
    ]
  ) {
    throws(() => toOrigin(page), /is not the address of a repository/, page);
  }
});
