/** The commands of a hub as a shell runs them, with the rights that the program has. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runProgram } from "../../support/server/cli.ts";
import { connectOverHttp } from "../../support/server/http_server.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("without the executable of a hub no other machine is asked, and the password is not shown", async () => {
  const env = { CODE_INTEL_STORE: "postgres://hub:pass-word@192.0.2.1/code" };
  const { code, stderr } = await runProgram(["hub", "list"], { env });
  equal(code, 2);
  match(stderr, /no permission .* 192\.0\.2\.1:5432\/code/);
  match(stderr, /code-intel-hub/);
  ok(!stderr.includes("pass-word"));
  const { stderr: unnamed } = await runProgram(["hub", "list"], { env: { CODE_INTEL_STORE: "" } });
  match(unnamed, /No store is named/);
});

testNeeding(["postgres"], "hub add, refresh, list and serve", async () => {
  await using postgres = await startPostgres();
  await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
  const folder = await Deno.makeTempDir();
  const store = join(folder, "store");
  await Deno.writeTextFile(store, postgres.url, { mode: 0o600 });
  const token = "k".repeat(40);
  await Deno.writeTextFile(join(folder, "token"), token, { mode: 0o600 });
  const env = { CODE_INTEL_CACHE_DIR: join(folder, "cache") };
  const run = (...words: readonly string[]) =>
    runProgram(["hub", ...words, "--store-file", store], { env });
  try {
    const secret = await run("add", "https://me:pass-word@example.com/x.git");
    equal(secret.code, 64);
    ok(!secret.stderr.includes("pass-word"));
    for (
      const [words, said] of [
        [["nonsense"], /"nonsense": it is neither a URL nor a folder\nName a URL/],
        [[folder], /it is no git repository/],
        [[""], /"": it is empty\nName a URL/],
        [["ftp://example.com/x.git"], /indexers do not connect by it\nName a URL that begins/],
        [["ext::sh -c true"], /indexers do not connect by it/],
        [["https:/example.com/x.git"], /indexers do not connect by it/],
        [
          [repo.dir, "--name", "a b"],
          /"a b" is no name\nGive one by --name NAME: .* without spaces/,
        ],
        [[repo.dir, "--branch", "a b"], /There can be no branch "a b"\nName one by --branch/],
        [[repo.dir, "--branch", "refs/heads/main"], /without refs\/heads/],
        [[repo.dir, "--branch", ""], /There can be no branch ""/],
      ] as const
    ) {
      const refused = await run("add", ...words);
      equal(refused.code, 64, words.join(" "));
      match(refused.stderr, said);
    }
    for (
      const [words, said] of [
        [["work", "--every", "0"], /every 0 seconds\nName a number from 1 on by --every/],
        [["serve", "--port", "70000"], /^\S+ There is no port 70000\nName one from 1 to 65535/],
        [["serve", "--threads", "0"], /^\S+ Cannot answer with 0 threads\nName a number from 1/],
      ] as const
    ) {
      const refused = await run(...words);
      equal(refused.code, 64, words.join(" "));
      match(refused.stderr, said);
    }
    const elsewhere = await run("add", "/nowhere/till.git");
    equal(elsewhere.code, 0, "an indexer on another machine may have it");
    match(elsewhere.stdout, /till waits for an indexer\.\nThis machine has no folder/);
    equal((await run("remove", "till")).code, 0);
    equal((await run("add", repo.dir, "--name", "shop")).code, 0);
    match((await run("refresh")).stdout, /1 file read, 1 analysed/);
    equal((await run("add", repo.dir, "--name", "shop@gone", "--branch", "gone")).code, 0);
    equal(
      (await run("refresh", "shop")).code,
      0,
      "a branch beside it that is gone is not asked for",
    );
    equal((await run("refresh", "shop@gone")).code, 1);
    equal((await run("refresh", "shop@gone", "--ask")).code, 0, "it is only asked for");
    equal((await run("refresh")).code, 1);
    equal((await run("remove", "shop@gone")).code, 0);
    const [shop] = JSON.parse((await run("list", "--json")).stdout).repositories;
    equal(shop.files, 1);
    const [program, ...args] = SOURCE_COMMAND;
    const words = ["hub", "serve", "--store-file", store, "--token-file", join(folder, "token")];
    const server = new Deno.Command(program, {
      args: [...args, ...words],
      env,
      stderr: "piped",
      stdout: "null",
    }).spawn();
    const url = await readUrl(server.stderr);
    const client = await connectOverHttp({ url, token }, "2026-07-28");
    const { content } = await client.callTool({
      name: "find_definitions",
      arguments: { symbol: "Cart" },
    });
    match(JSON.stringify(content), /cart\.ts/);
    const { port } = new URL(url);
    const taken = await run("serve", "--port", port);
    equal(taken.code, 2);
    match(taken.stderr, /it is taken\nName another port with --port PORT, or/);
    await client.close();
    server.kill("SIGTERM");
    equal((await server.status).code, 143);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** What stands behind `serving`; the rest is read so that the server is not held up. */
async function readUrl(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const url = /serving (\S+)/.exec(text)?.[1];
    if (url !== undefined) {
      await reader.cancel();
      return url;
    }
    if (done) throw new Error(text);
  }
}
