/** The README with the row of its table that says what a model reads; everything else is written by hand. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadFigures } from "../trial/figures.ts";
import { measureReading } from "../trial/sizes.ts";

const README = join(fileURLToPath(new URL("../..", import.meta.url)), "README.md");
const ROW = /^\| what a model reads.*$/m;

/** The README as it stands, with that row made anew. */
export async function renderReadme(): Promise<string> {
  const { calls, replyBytes } = await loadFigures();
  const { listingBytes, instructionsBytes, skills } = await measureReading();
  const sizes = [replyBytes, listingBytes, skills.get("code") ?? 0, instructionsBytes]
    .map((sizeBytes) => `${Math.round(sizeBytes / 1024)} KB`);
  const row =
    `| what a model reads: all replies of a recorded session of ${calls} calls / the listing of all tools / the skill / the server's instructions | ${
      sizes.join(" / ")
    } | \`task trial\` |`;
  return (await Deno.readTextFile(README)).replace(ROW, () => row);
}
