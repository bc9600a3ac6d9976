/**
 * The quick tests: `deno task test [FLAGS] [PATHS…]`, with any flag of `deno test`. Runs the files in groups
 * (`groups.ts`), and without paths the examples in the comments of `src` too.
 */
import { fileURLToPath } from "node:url";
import { listTests, withGroups } from "./run.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

const flags = Deno.args.filter((word) => word.startsWith("-"));
const paths = Deno.args.filter((word) => !word.startsWith("-"));
const files = await listTests(REPOSITORY, paths.length === 0 ? ["tests"] : paths);
const examples = paths.length === 0 ? ["--doc", "src/"] : [];
const code = await withGroups(REPOSITORY, files, async (modules) => {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "-P=test", "--parallel", ...flags, ...examples, ...modules],
    cwd: REPOSITORY,
  }).spawn().status;
  return code;
});
Deno.exit(code);
