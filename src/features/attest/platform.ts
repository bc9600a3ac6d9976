/** Names the platform of a proof: system, architecture, and the versions of the runtimes that its commands start. */
import { basename } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { runProcess } from "../../base/processes/process.ts";
import type { CommandsUnderTrust } from "../../evidence/runs/trusted_commands.ts";

/** Runtimes with the words of commands and scripts that need them. */
const RUNTIMES: readonly { readonly ask: readonly string[]; readonly words: RegExp }[] = [
  { ask: ["node", "--version"], words: /\b(?:node|np[mx]|pnpm|yarn|vitest|jest|mocha|tsx)\b/ },
  { ask: ["python3", "--version"], words: /\b(?:python[\d.]*|py\.?test|tox|nox|uv|poetry)\b/ },
  { ask: ["go", "version"], words: /\bgo\b/ },
  { ask: ["rustc", "--version"], words: /\bcargo\b/ },
  { ask: ["java", "-version"], words: /\b(?:java|mvnw?|gradlew?)\b/ },
  { ask: ["php", "--version"], words: /\b(?:php|phpunit|composer)\b/ },
  { ask: ["ruby", "--version"], words: /\b(?:ruby|bundle|rake|rspec)\b/ },
  { ask: ["deno", "--version"], words: /\bdeno\b/ },
  { ask: ["bun", "--version"], words: /\bbun\b/ },
  { ask: ["dotnet", "--version"], words: /\bdotnet\b/ },
];

/** Such as `linux x86_64, node 22.11`. The commands have been allowed, and what they start is asked for its version. */
export async function readPlatform(
  { commands, behind }: Pick<CommandsUnderTrust, "commands" | "behind">,
  cwd: string,
): Promise<string> {
  const texts = [
    ...commands.map(({ run }) => run.join(" ")),
    ...behind.map(({ text }) => text ?? ""),
  ];
  const all = texts.join("\n");
  const versions = await Promise.all(
    RUNTIMES.filter(({ words }) => words.test(all)).map(async ({ ask: [usual = "", ...args] }) => {
      // A virtual environment has a runtime of its own.
      const isOwn = ({ run: [first = ""] }: { readonly run: readonly string[] }) =>
        basename(first).startsWith(usual.replace(/\d$/, ""));
      const program = commands.find(isOwn)?.run[0] ?? usual;
      return `${usual} ${await askVersion(program, args, cwd)}`;
    }),
  );
  return [`${Deno.build.os} ${Deno.build.arch}`, ...versions].join(", ");
}

/** The first two numbers: a mended fault of a runtime is no other platform. */
async function askVersion(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout, stderr } = await runProcess(program, args, { cwd, isReadOnly: true });
    const said = `${new TextDecoder().decode(stdout)}\n${stderr}`;
    return /\d+\.\d+/.exec(said)?.[0] ?? "unknown";
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
    return "none";
  }
}
