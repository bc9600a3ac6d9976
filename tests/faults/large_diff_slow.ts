/** Changed files of hundreds of megabytes: what the working diff can break is answered, from the command line and over the protocol. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/server/cli.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const LINES = 6_000_000;

Deno.test("a changed file of 300 MB was too much output for impact --diff, and no answer over the protocol", async () => {
  await using repo = await createTempRepo({
    files: {
      "src/a.ts": "export function login(name: string) {\n  return name;\n}\n",
      "src/b.ts": 'import { login } from "./a.ts";\nexport const b = login("x");\n',
    },
  });
  await writeLarge(`${repo.dir}/large.txt`, "before");
  await repo.git("add", "--all");
  await repo.git("commit", "--quiet", "--message", "Large");
  await writeLarge(`${repo.dir}/large.txt`, "after");
  await repo.write({
    "src/a.ts": 'export function login(name: string) {\n  return name + "!";\n}\n',
  });
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
  const { code, stdout, stderr } = await runProgram(["impact", "--diff", "--json"], {
    cwd: repo.dir,
    env,
  });
  equal(code, 0, stderr);
  expectAnswer(JSON.parse(stdout));
  const client = await startClient({ projectDir: repo.dir, env });
  try {
    const { reply, text } = await client.call("analyze_impact", { diff: true });
    // A busy machine may need another call, which goes on where the first one was.
    ok(reply.ok || reply.error === "diff_not_ready", text.slice(0, 500));
    if (reply.ok) expectAnswer(reply);
  } finally {
    await client.close();
  }
});

// deno-lint-ignore no-explicit-any -- tests read replies freely
function expectAnswer(reply: any): void {
  deepEqual(
    reply.impact_analysis.targets.map(({ path, scope }: Readonly<Record<string, string>>) => [
      path,
      scope,
    ]),
    [["large.txt", "whole"], ["src/a.ts", "symbols"]],
  );
  deepEqual(reply.confirmation_required.must_verify, ["src/b.ts"]);
}

async function writeLarge(path: string, word: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  const lines = Array.from(
    { length: 10_000 },
    (_, at) => `line ${at} of a long file, ${word}, x\n`,
  );
  const bytes = encoder.encode(lines.join(""));
  for (let written = 0; written < LINES; written += lines.length) {
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  }
}
