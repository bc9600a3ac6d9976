/** Writes `THIRD_PARTY_LICENSES`: `deno task licenses`. A test compares it with what the parts say now. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderLicenses } from "./render.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

await Deno.writeTextFile(
  join(REPOSITORY, "THIRD_PARTY_LICENSES"),
  await renderLicenses(REPOSITORY),
);
