/** Prints the server's entries for clients, which a person puts into their files. */
import { CONFIG_CLIENTS, listConfigEntries } from "../clients/config_entries.ts";
import type { ExitCode, Invocation } from "./command.ts";

/** Prints them all, or the one that `--client` names. */
export async function printConfig(
  { isJson, options, terminal }: Invocation,
  words: readonly string[],
): Promise<ExitCode> {
  const command = { words, isLocal: !Deno.build.standalone };
  const client = String(options["client"] ?? "all");
  const isAll = client === "all" || client === "auto";
  const entries = listConfigEntries(command, isAll ? CONFIG_CLIENTS : [client]);
  if (isJson) {
    const own = Object.fromEntries(entries.map(({ id, entry }) => [id, entry]));
    await terminal.data(`${JSON.stringify({ ok: true, ...own })}\n`);
  } else {
    const texts = entries.map(({ client, file, entry }) => {
      const text = typeof entry === "string" ? entry : `${JSON.stringify(entry, null, 2)}\n`;
      return `${client} (${file}):\n\n${text}`;
    });
    await terminal.data(texts.join("\n"));
  }
  return 0;
}
