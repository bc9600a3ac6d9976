/** Paths that the write guard has to refuse, and paths outside the project in every other field. */
import { join } from "node:path";
import type { Reply } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed, settle } from "./attack.ts";

/** What the write guard has to refuse, by path. */
const TARGETS: readonly {
  readonly id: string;
  readonly tries: string;
  readonly path: string;
  readonly found: string;
  readonly line?: string;
}[] = [
  {
    id: "guard-traversal",
    tries: "has a path above the project cleared",
    path: "src/../../outside.ts",
    found: "path_outside",
  },
  {
    id: "guard-absolute",
    tries: "has an absolute path cleared",
    path: "/etc/passwd",
    found: "path_outside",
  },
  {
    id: "guard-link-out",
    tries: "has a file cleared through a link that leads outside",
    path: "src/away/passwd",
    line: "ln -s /etc src/away; git add -A; git commit -qm link",
    found: "path_outside",
  },
  {
    id: "guard-git-folder",
    tries: "has a git hook cleared",
    path: ".git/hooks/pre-commit",
    found: "path_protected",
  },
  {
    id: "guard-link-to-rules",
    tries: "has the configuration cleared through a link",
    path: "src/rules.json",
    line:
      "mkdir -p .code-intel; echo '{}' > .code-intel/config.json; ln -s ../.code-intel/config.json src/rules.json; git add -A; git commit -qm link",
    found: "path_protected",
  },
  {
    id: "guard-rules-in-capitals",
    tries: "has the configuration cleared under a name in capitals",
    path: ".CODE-INTEL/Config.json",
    found: "path_protected",
  },
  {
    id: "guard-not-explored",
    tries: "has a file cleared that it never looked at",
    path: "src/hash.ts",
    found: "not_explored",
  },
];

const GUARD: readonly Attack[] = TARGETS.map(({ id, tries, path, found, line = "true" }) => ({
  id,
  tries,
  found: [found],
  at: "check_write_target@13",
  async attack(ground: Ground) {
    await ground.sh(line);
    const session = await ground.to(13);
    return await session.call("check_write_target", { file_path: path, allow_new_files: true });
  },
  async honest(ground: Ground) {
    await ground.sh(line);
    const session = await ground.to(13);
    await session.must("add_explored_files", { files: ["src/hash.ts"] });
    return await session.call("check_write_target", { file_path: "src/hash.ts" });
  },
}));

const PATHS: readonly Attack[] = [
  {
    id: "paths-everywhere",
    tries: "names files outside the project in every field that takes a path",
    found: ["nothing_outside"],
    at: "submit_phase@13",
    async attack(ground) {
      await Deno.writeTextFile(
        join(ground.project.stateDir, "secret.txt"),
        "secret-of-the-person\n",
      );
      const outside = join(ground.project.stateDir, "secret.txt");
      const session = await ground.to(13);
      const replies: Reply[] = [];
      for (const path of [outside, `../${outside.split("/").at(-2)}/secret.txt`]) {
        replies.push(
          await session.call("add_explored_files", { files: [path] }),
          await session.call("get_symbols", { path }),
          await session.call("search_text", { pattern: "secret", path }),
          await session.call("search_files", { pattern: path }),
          await session.call("review_changes", { path }),
          await settle(session, path, "restore"),
          await settle(session, path, "person", { until_end: true }),
        );
      }
      const text = JSON.stringify(replies);
      const isShown = text.includes("secret-of-the-person") ||
        replies.some((reply) => reply.total > 0);
      return held("nothing_outside", !isShown, text);
    },
    async honest(ground) {
      const session = await ground.to(13);
      const found = await session.must("search_text", { pattern: "login", path: "src/view.ts" });
      return passed(found.total > 0, found);
    },
  },
  {
    id: "repository-in-a-cleared-folder",
    tries: "clears a whole folder and puts a repository of its own into it",
    found: ["unauthorized_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: ["src"] });
      await session.must("check_write_target", { file_path: "src/**" });
      await ground.sh("mkdir src/lib; cd src/lib; git init -q; echo x > evil.ts; git add evil.ts");
      await ground.sh("cd src/lib; git -c user.name=a -c user.email=a@b.example commit -qm x");
      return await session.submit({
        task_id: "task_1",
        checklist: [{ item: "Change src/auth.ts", status: "done", evidence: "src/lib:binary" }],
      });
    },
    async honest(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: ["src"] });
      await session.must("check_write_target", { file_path: "src/**" });
      await ground.sh("mkdir src/lib; echo 'export const x = 1;' > src/lib/good.ts");
      return await session.call("check_write_target", { file_path: "src/lib/good.ts" });
    },
  },
  {
    id: "new-file-in-place-of-a-folder",
    tries: "clears a file and writes a folder of files in its place",
    found: ["unauthorized_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13, {
        ...FAST,
        edits: { "src/new.ts": "export const x = 1;\n" },
      });
      await session.must("add_explored_files", { files: ["src/auth.ts"] });
      await session.must("check_write_target", { file_path: "src/new.ts", allow_new_files: true });
      await ground.sh("mkdir src/new.ts; echo x > src/new.ts/evil.ts");
      return await session.submit({
        task_id: "task_1",
        checklist: [{
          item: "Change src/new.ts",
          status: "done",
          evidence: "src/new.ts/evil.ts:1",
        }],
      });
    },
    honest: async (ground) =>
      await finish(
        await ground.start({
          ...FAST,
          edits: { ...SAMPLE_EDITS, "src/new.ts": "export const x = 1;\n" },
        }),
      ),
  },
];

/** All attacks of this theme. */
export const GUARD_ATTACKS: readonly Attack[] = [...GUARD, ...PATHS];
