/**
 * Makes an MCP bundle of a platform: a zip with the executable and a manifest, which a desktop client installs by a
 * click. One for each platform, since a manifest can choose by the system and not by the processor.
 */
import { join } from "node:path";
import { TOOLS } from "../../src/tools/tools.ts";
import type { Origin, Platform } from "./facts.ts";
import { FACTS } from "./facts.ts";
import type { Built } from "./npm.ts";
import { toZip } from "./zip.ts";

/** What a bundle is made from. */
export interface BundleInput extends Built {
  /** Absolute path of the repository. */
  readonly repository: string;
  /** Absolute path of the folder that gets the bundle. */
  readonly output: string;
  /** Null where the bundle is for trying only. */
  readonly origin: Origin | null;
}

/** Name of a platform's bundle. */
export function toBundleName({ target }: Platform): string {
  return `${target.output.replace(/\.exe$/, "")}.mcpb`;
}

/** Writes the bundle; returns its path. */
export async function writeBundle(input: BundleInput): Promise<string> {
  const { repository, platform, path, output, origin } = input;
  const manifest = `${JSON.stringify(toManifest(platform, origin), null, 2)}\n`;
  const bytes = toZip([
    { path: "manifest.json", bytes: new TextEncoder().encode(manifest) },
    { path: `server/${platform.file}`, bytes: await Deno.readFile(path), isExecutable: true },
    {
      path: "THIRD_PARTY_LICENSES",
      bytes: await Deno.readFile(join(repository, "THIRD_PARTY_LICENSES")),
    },
  ]);
  const bundle = join(output, toBundleName(platform));
  await Deno.mkdir(output, { recursive: true });
  await Deno.writeFile(bundle, bytes);
  return bundle;
}

/** The manifest of a platform's bundle, in version 0.3 of the format. */
export function toManifest(
  platform: Platform,
  origin: Origin | null,
): Readonly<Record<string, unknown>> {
  const program = `server/${platform.file}`;
  return {
    manifest_version: "0.3",
    name: FACTS.name,
    display_name: FACTS.title,
    version: FACTS.version,
    description: FACTS.summary,
    author: { name: FACTS.name },
    ...(origin === null
      ? {}
      : { repository: { type: "git", url: origin.page }, homepage: origin.page }),
    server: {
      type: "binary",
      entry_point: program,
      mcp_config: {
        command: `\${__dirname}/${program}`,
        // A desktop client starts servers in no project, so the person names one.
        args: ["serve", "--project", "${user_config.project}"],
      },
    },
    tools: TOOLS.map(({ name, title }) => ({ name, description: title })),
    prompts_generated: true,
    keywords: FACTS.keywords,
    compatibility: { platforms: [platform.npm.os] },
    user_config: {
      project: {
        type: "directory",
        title: "Project",
        description: "The folder of the repository that questions are about",
        required: true,
      },
    },
  };
}
