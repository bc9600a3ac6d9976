/** Writes `THIRD_PARTY_LICENSES`: `deno task licenses`. A test compares it with what the parts say now. */
import { join } from "node:path";
import { renderLicenses } from "./components.ts";
import { REPOSITORY } from "../task.ts";

await Deno.writeTextFile(
  join(REPOSITORY, "THIRD_PARTY_LICENSES"),
  await renderLicenses(REPOSITORY),
);
