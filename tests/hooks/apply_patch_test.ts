/** Patches of Codex that an agent applies through the shell, in each form that a shell allows. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { listShellPatches, parseHookCall } from "../../src/hooks/hook_call.ts";
import type { HookContext } from "../../src/hooks/hook_events.ts";
import { answerHook } from "../../src/hooks/hook_events.ts";
import { judgeShell } from "../../src/hooks/shell_guard.ts";
import type { HookDoor } from "../../src/workflow/hook_door.ts";

const PLACE = { cwd: "/work/app", root: "/work/app" };

/** A patch that adds a file. */
function patch(path = "a.ts"): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+it's "one" $line\n*** End Patch`;
}

const QUOTED = patch().replaceAll(/["$]/g, "\\$&");

const FOUND: readonly (readonly [line: string, paths: readonly string[]])[] = [
  [`apply_patch <<'PATCH'\n${patch()}\nPATCH`, ["a.ts"]],
  [`apply_patch <<PATCH\n${patch()}\nPATCH\n`, ["a.ts"]],
  [`apply_patch <<"EOF"\n${patch()}\nEOF`, ["a.ts"]],
  [`apply_patch << \\EOF\n${patch()}\nEOF`, ["a.ts"]],
  [`apply_patch <<'THE END'\n${patch()}\nTHE END`, ["a.ts"]],
  [`apply_patch <<'PATCH'\r\n${patch().replaceAll("\n", "\r\n")}\r\nPATCH`, ["a.ts"]],
  [`apply_patch <<-PATCH\n\t${patch().replaceAll("\n", "\n\t")}\n\tPATCH`, ["a.ts"]],
  [`apply_patch <<PATCH && echo done\n${patch()}\nPATCH\necho more`, ["a.ts"]],
  [`apply_patch <<PATCH\n${patch()}`, ["a.ts"]],
  [`apply_patch "${QUOTED}"`, ["a.ts"]],
  [`apply_patch '${patch().replaceAll("'", "'\\''")}'`, ["a.ts"]],
  [`apply_patch $'${patch().replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`, ["a.ts"]],
  [`apply_patch <<< "${QUOTED}"`, ["a.ts"]],
  [`cat <<'PATCH' | apply_patch\n${patch()}\nPATCH`, ["a.ts"]],
  [`printf '%s\n' '${patch("b.ts").replaceAll("'", '"')}' | apply_patch`, ["b.ts"]],
  [`bash -lc "apply_patch <<'PATCH'\n${QUOTED}\nPATCH"`, ["a.ts"]],
  [`sh -c 'apply_patch <<PATCH\n${patch().replaceAll("'", "'\\''")}\nPATCH'`, ["a.ts"]],
  [`bash <<'SH'\ncd src\napply_patch <<'PATCH'\n${patch()}\nPATCH\nSH`, ["src/a.ts"]],
  [`eval 'apply_patch <<P\n${patch().replaceAll("'", '"')}\nP'`, ["a.ts"]],
  [`cd src && apply_patch <<PATCH\n${patch()}\nPATCH`, ["src/a.ts"]],
  [`cd src; cd ..; cd 'my lib' && apply_patch <<P\n${patch()}\nP`, ["my lib/a.ts"]],
  [`bash -lc "cd src && apply_patch <<'P'\n${QUOTED}\nP"`, ["src/a.ts"]],
  [`cd src && bash -lc "cd x && apply_patch <<'P'\n${QUOTED}\nP"`, ["src/x/a.ts"]],
  [`(cd src && npm test); apply_patch <<P\n${patch()}\nP`, ["a.ts"]],
  [`env A=1 nice -n 5 /usr/local/bin/apply_patch <<P\n${patch()}\nP`, ["a.ts"]],
  [`timeout 5s applypatch <<P\n${patch()}\nP`, ["a.ts"]],
  [`if true; then apply_patch <<P\n${patch()}\nP\nfi`, ["a.ts"]],
  [`# don't worry\napply_patch <<P\n${patch()}\nP`, ["a.ts"]],
  [`apply_patch <<A\n${patch()}\nA\ncd src\napply_patch <<B\n${patch("b.ts")}\nB`, [
    "a.ts",
    "src/b.ts",
  ]],
  [
    `apply_patch <<P\n*** Begin Patch\n*** Update File: a.ts\n*** Move to: b/c.ts\n*** Delete File: d.ts\n*** End Patch\nP`,
    ["a.ts", "b/c.ts", "d.ts"],
  ],
  [`apply_patch <<P\n${patch("/elsewhere/a.ts")}\nP`, ["/elsewhere/a.ts"]],
];

Deno.test("listShellPatches() finds the files of a patch in each form of a here-document, an argument and a pipe", () => {
  for (const [line, paths] of FOUND) {
    const absolute = paths.map((path) => path.startsWith("/") ? path : `/work/app/${path}`);
    deepEqual(listShellPatches(line, PLACE), absolute, line);
  }
});

Deno.test("listShellPatches() takes no text about patches for one", () => {
  for (
    const line of [
      "",
      "apply_patch --help",
      "apply_patch < p.txt",
      `cat > notes.md <<'EOF'\n${patch()}\nEOF`,
      `cat > notes.md <<'EOF'\napply_patch <<'PATCH'\n${patch()}\nPATCH\nEOF`,
      `echo "${QUOTED}"`,
      `# apply_patch <<P\n#${patch()}`,
      `grep -rn apply_patch . <<P\n${patch()}\nP`,
      `bash run.sh <<P\napply_patch <<Q\n${patch()}\nQ\nP`,
    ]
  ) deepEqual(listShellPatches(line, PLACE), [], line);
});

Deno.test("judgeShell() reads scripts that a shell gets as input, and no comment", () => {
  equal(judgeShell("bash <<'SH'\ngit push\nSH", PLACE)?.command, "git push");
  equal(judgeShell("bash -s <<SH\ngit push\nSH", PLACE)?.command, "git push");
  equal(judgeShell("eval 'git push'", PLACE)?.command, "git push");
  equal(judgeShell("ls # don't\ngit push", PLACE)?.command, "git push");
  equal(judgeShell("ls 2>&1 | cat # git push; git push", PLACE), null);
  equal(judgeShell("(cd /elsewhere && git push)", PLACE), null);
  equal(judgeShell("(cd /elsewhere && ls) && git push", PLACE)?.command, "git push");
});

/** A session whose door refuses to clear any file, and the files it was asked for. */
function createPlace(): HookContext & { readonly asked: (readonly string[])[] } {
  const asked: (readonly string[])[] = [];
  const door = {
    clear: (paths: readonly string[]) => {
      asked.push(paths);
      const problems = [{ code: "write_not_allowed", message: "no" }];
      return Promise.resolve({ ok: false, problems });
    },
    standing: () => Promise.resolve(null),
  } as unknown as HookDoor;
  const id = "session_20260101_000000_0001";
  return {
    asked,
    root: "/work/app",
    session: { id, status: "active", revision: 3, state: {} },
    loadDoor: () => Promise.resolve(door),
    proveTurn: () => Promise.resolve({ kind: "none" } as const),
  };
}

Deno.test("answerHook() once let through what Codex patches by the shell: it asks for each file of it", async () => {
  const text = `apply_patch <<'PATCH'\n${patch()}\nPATCH`;
  for (const command of [text, ["bash", "-lc", text]]) {
    const place = createPlace();
    const call = parseHookCall("pre-tool-use", "codex", {
      session_id: "c",
      cwd: "/work/app/src",
      tool_name: "Bash",
      tool_input: { command },
    });
    const answer = await answerHook(call, place);
    deepEqual([answer.kind, place.asked], ["deny", [["/work/app/src/a.ts"]]]);
  }
});
