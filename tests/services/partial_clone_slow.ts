/** A clone that has only a part of the files, and of the objects only those: looking at it fetches nothing. */
import { match, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const CODE = "export function price(amount: number): number {\n  return amount * 2;\n}\n";

Deno.test("a sparse partial clone is indexed, searched and asked for its past, and its remote is never asked", async () => {
  await using origin = await createTempRepo({
    files: { "in/price.ts": CODE, "in/old_name.ts": CODE.repeat(9), "out/other.ts": CODE },
  });
  await origin.git("mv", "in/old_name.ts", "in/new_name.ts");
  await origin.commit("Move it, and change it", { "in/new_name.ts": `${CODE.repeat(9)}// more\n` });
  await origin.commit("Change both", { "in/price.ts": `${CODE}// two\n`, "out/other.ts": "" });
  await origin.git("config", "uploadpack.allowFilter", "true");
  const place = await Deno.realPath(await Deno.makeTempDir());
  const clone = join(place, "clone");
  await origin.git("clone", "-q", "--filter=blob:none", "--sparse", `file://${origin.dir}`, clone);
  const inClone = (...words: string[]) => origin.git("-C", clone, ...words);
  await inClone("sparse-checkout", "set", "in");
  const asked = join(place, "asked");
  const program = join(place, "upload");
  await Deno.writeTextFile(program, `#!/bin/sh\ntouch '${asked}'\nexec git-upload-pack "$@"\n`);
  await Deno.chmod(program, 0o755);
  await inClone("config", "remote.origin.uploadpack", program);
  await Deno.writeTextFile(join(clone, "in/price.ts"), CODE);
  const env = { CODE_INTEL_STATE_DIR: join(place, "state") };
  const run = (...words: string[]) => runHosted(words, { cwd: clone, env });

  match((await run("index")).stdout, /^2 files/);
  match((await run("text", "amount")).stdout, /in\/price\.ts/);
  match((await run("def", "price")).stdout, /in\/price\.ts/);
  match((await run("impact", "--diff", "--json")).stdout, /"answer":"complete"/);
  const past = (await run("history", "in/new_name.ts")).stdout;
  match(past, /Move it, and change it/);
  match(past, /Whether 1 commit moved files is not known.*--refetch --no-filter/s);
  match((await run("map")).stdout, /2 files/);
  // What these lines were before is not here: the answer says so, which is no reason to fetch.
  match((await run("history", "in/new_name.ts:1-2")).stdout, /a partial clone lacks them/);
  await rejects(Deno.stat(asked), Deno.errors.NotFound);
  equal((await inClone("status", "--porcelain")).trim(), "M in/price.ts");
  await Deno.remove(place, { recursive: true });
});
