/** Words of a shell as a shell reads them. */
import { strictEqual as equal } from "node:assert/strict";
import { toShellWord } from "../../../src/base/text/plain_text.ts";

for (const path of ["src/a.ts", "a b", "it's", "$HOME", "a\nb", "*", "'", "-rf"]) {
  Deno.test(`toShellWord() makes one word of ${JSON.stringify(path)}`, async () => {
    const args = ["-c", `printf %s ${toShellWord(path)}`];
    const { stdout } = await new Deno.Command("sh", { args }).output();
    equal(new TextDecoder().decode(stdout), path.startsWith("-") ? `./${path}` : path);
  });
}
