/** What tells our own entries from those of others. */
import { strictEqual as equal } from "node:assert/strict";
import { isOurHookGroup, quoteShellWords } from "../../src/clients/setup.ts";

Deno.test("isOurHookGroup() takes groups in which a handler calls this program, whoever wrote the others", () => {
  const ours = { type: "command", command: "code-intel hook stop --client codex" };
  const args = ["run", "-P", "/x/src/main.ts", "hook", "stop", "--client", "claude"];
  const rows: readonly (readonly [group: unknown, expected: boolean])[] = [
    [{ hooks: [ours] }, true],
    [{ hooks: [{ command: "deno", args }] }, true],
    [{ hooks: [{ command: "/opt/code-intel hook pre-tool-use --client codex" }] }, true],
    [{ hooks: [{ command: "'/my dir/src/main.ts' hook stop --client codex" }] }, true],
    [{ hooks: [{ command: "npx -y code-intel@0.1.0 hook stop --client codex" }] }, true],
    [{ hooks: [{ command: "'C:\\my dir\\code-intel.exe' hook stop --client codex" }] }, true],
    [{ hooks: [ours, { command: "guard.sh" }] }, true],
    [{ hooks: [{ command: "guard.sh" }] }, false],
    [{ hooks: [{ command: "git hook stop --client codex" }] }, false],
    [{ hooks: [] }, false],
    [null, false],
    ["code-intel hook stop --client codex", false],
  ];
  for (const [group, expected] of rows) {
    equal(isOurHookGroup(group), expected, JSON.stringify(group));
  }
});

Deno.test("quoteShellWords() quotes what a shell would take apart", () => {
  equal(quoteShellWords(["code-intel", "hook"]), "code-intel hook");
  equal(quoteShellWords(["/my dir/it's", "a$b"]), `'/my dir/it'\\''s' 'a$b'`);
});
