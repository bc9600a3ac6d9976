/** One process that indexes a repository and makes its vectors until it is killed: `embed_client.ts ROOT`. */
import { createEmbedder } from "../../../src/embedding/embedder.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { openTestIndex } from "../support.ts";

const [root = ""] = Deno.args;
const repo = await openRepository(root);
if (repo === null) throw new Error(`No repository at ${root}`);
const { index } = openTestIndex(repo, { options: { embedder: createEmbedder({ maxWorkers: 1 }) } });
await index.sync();
const meaning = await index.meaning();
meaning?.start();
// Work behind the answers does not keep a process alive; a server stays for its next question.
setInterval(() => {}, 1_000);
