/**
 * `deno doc --lint` over the doors of `src`, without the findings that ask for noise: see
 * `docs/decisions/0008-comments-of-members.md`.
 */
import { fileURLToPath } from "node:url";
import { toFindings } from "./findings.ts";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

/** Base has no door: its files are public each by itself. */
const files: string[] = [];
for await (const { name, isDirectory } of Deno.readDir(SRC)) {
  if (!isDirectory) continue;
  for await (const file of Deno.readDir(`${SRC}/${name}`)) {
    if (file.name === "mod.ts" || name === "base") files.push(`${SRC}/${name}/${file.name}`);
  }
}
const { stderr } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--lint", ...files.sort()],
  env: { NO_COLOR: "1" },
}).output();
const output = new TextDecoder().decode(stderr);
const findings = toFindings(output);
for (const finding of findings) {
  await Deno.stdout.write(new TextEncoder().encode(`${finding}\n`));
}
// Something other than findings, such as a file that cannot be parsed, fails as it is.
const isRead = output.trim() === "" || /documentation lint error|^Checked/m.test(output);
if (!isRead) await Deno.stderr.write(new TextEncoder().encode(output));
if (findings.length > 0 || !isRead) Deno.exit(1);
