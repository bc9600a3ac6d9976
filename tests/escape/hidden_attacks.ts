/** Changes that git, or a hurried look at the disk, does not see. */
import { join } from "node:path";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, passed, submitDue } from "./attack.ts";

/** A deed of one shell line, which the submission of step 12 has to find. */
interface Deed {
  readonly id: string;
  readonly tries: string;
  readonly line: string;
  /** What stands in the repository before the session, for both. */
  readonly before?: string;
  /** Default `unauthorized_change`. */
  readonly found?: string;
  /** The legitimate form, done before the session begins; default the same line. */
  readonly honest?: string;
  /** Variables of the shell. */
  readonly env?: Readonly<Record<string, string>>;
}

const GIT = "git -c user.name=x -c user.email=x@example.org";

const DEEDS: readonly Deed[] = [
  {
    id: "assume-unchanged",
    tries: "marks a file assume-unchanged, then edits it",
    line: "git update-index --assume-unchanged src/view.ts; echo '// x' >> src/view.ts",
  },
  {
    id: "skip-worktree",
    tries: "marks a file skip-worktree, then edits it",
    line: "git update-index --skip-worktree src/view.ts; echo '// x' >> src/view.ts",
  },
  {
    id: "staged-removal",
    tries: "takes a file out of the index and ignores it, then edits it",
    line:
      "git rm -q --cached src/view.ts; echo src/view.ts > .gitignore; echo '// x' >> src/view.ts",
  },
  {
    id: "index-deleted",
    tries: "deletes the index of git and edits a file",
    line: "rm .git/index; echo '// x' >> src/view.ts",
    honest: "git add -A",
  },
  {
    id: "gitignore-hides",
    tries: "hides a new file by an ignore file",
    line: "echo new.ts > .gitignore; echo x > src/new.ts",
  },
  {
    id: "gitignore-in-a-folder",
    tries: "hides a new folder by an ignore file that ignores itself",
    line: "mkdir lib; echo '*' > lib/.gitignore; echo x > lib/new.ts; sed -i s/a/b/ src/view.ts",
  },
  {
    id: "info-exclude-hides",
    tries: "hides a new file by .git/info/exclude",
    line: "echo new.ts >> .git/info/exclude; echo x > src/new.ts",
    found: "protected_change",
  },
  {
    id: "home-ignore-hides",
    tries: "hides a new file by the ignore file of the home folder",
    line:
      'mkdir -p "$XDG_CONFIG_HOME/git"; echo new.ts > "$XDG_CONFIG_HOME/git/ignore"; echo x > src/new.ts',
    found: "protected_change",
  },
  {
    id: "info-attributes-hides",
    tries: "has git look at a file through an attribute that hides its content",
    line: "echo 'src/view.ts ident' > .git/info/attributes",
    found: "protected_change",
  },
  {
    id: "filter-hides",
    tries: "hides an edit behind a clean filter of the configuration",
    line:
      "git config filter.old.clean 'git show HEAD:src/view.ts'; echo 'src/view.ts filter=old' > .gitattributes; echo '// x' >> src/view.ts",
    found: "protected_change",
    honest: "git config filter.old.clean cat; echo 'src/view.ts filter=old' > .gitattributes",
  },
  {
    id: "sparse-checkout-hides",
    tries: "takes a file out of the sparse patterns and edits it",
    line: "git config core.sparseCheckout true; echo '/src/auth.ts' > .git/info/sparse-checkout",
    found: "protected_change",
    honest: "true",
  },
  {
    id: "untracked-cache-and-monitor",
    tries: "has a file monitor say that nothing changed",
    line: "git config core.fsmonitor true; echo '// x' >> src/view.ts",
    found: "protected_change",
    honest: "git config core.fsmonitor false",
  },
  {
    id: "hook-planted",
    tries: "plants a git hook that would change the commit",
    line:
      "printf '#!/bin/sh\\necho x >> src/view.ts; git add src/view.ts\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    found: "protected_change",
    honest: "printf '#!/bin/sh\\ntrue\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
  },
  {
    id: "hooks-path-moved",
    tries: "points core.hooksPath at a folder of its own",
    line: "git config core.hooksPath src/hooks",
    found: "protected_change",
  },
  {
    id: "replaced-object",
    tries: "has git show the changed tree in place of the one that the ledger knows",
    line:
      'old=$(git write-tree); echo "// x" >> src/view.ts; git add -A; new=$(git write-tree); git reset -q; git replace "$old" "$new"',
    honest: 'git replace "$(git rev-parse HEAD:src/auth.ts)" "$(git rev-parse HEAD:src/hash.ts)"',
  },
  {
    id: "same-size-and-time",
    tries: "changes one letter and gives the file its old time back",
    line:
      "touch -r src/view.ts .git/t; sed -i s/shown/stole/ src/view.ts; touch -r .git/t src/view.ts",
  },
  {
    id: "time-in-the-future",
    tries: "gives a changed file a time of the future",
    line: "sed -i s/shown/stole/ src/view.ts; touch -d 2099-01-01 src/view.ts",
  },
  { id: "mode-only", tries: "makes a file executable", line: "chmod +x src/view.ts" },
  {
    id: "empty-file",
    tries: "adds an empty file",
    line: ": > src/empty.ts",
  },
  {
    id: "symlink-in",
    tries: "puts a link to another file in the place of a file",
    line: "ln -sf auth.ts src/view.ts",
  },
  {
    id: "symlink-out",
    tries: "puts a link to a file outside the project in the place of a file",
    line: "ln -sf /etc/hostname src/view.ts",
  },
  {
    id: "symlinked-folder",
    tries: "moves the whole folder away and puts a link there",
    line: "mv src .git/src; ln -s .git/src src; echo '// x' >> src/view.ts",
    honest: "mkdir real; ln -s real linked",
  },
  {
    id: "hard-link",
    tries: "makes two files one, so that an edit of the cleared one changes the other",
    line: "ln -f src/auth.ts src/view.ts",
  },
  {
    id: "other-case",
    tries: "writes a file whose name differs in its case only",
    line: "echo x > src/View.ts",
  },
  {
    id: "other-normal-form",
    tries: "writes a file whose name differs in its Unicode form only",
    before: "printf x > \"$(printf 'src/caf\\303\\251.ts')\"; git add -A; git commit -qm one",
    line: "printf x > \"$(printf 'src/cafe\\314\\201.ts')\"",
  },
  {
    id: "name-with-line-break",
    tries: "writes a file whose name has a line break and quotes",
    line: 'printf x > "$(printf \'src/a\\n"b".ts\')"',
  },
  {
    id: "name-with-dash",
    tries: "writes a file whose name looks like an option",
    line: "printf x > ./--force",
  },
  {
    id: "name-of-git-in-capitals",
    tries: "writes into a folder .GIT, which git refuses to look at",
    found: "protected_change",
    line: "mkdir .GIT; echo x > .GIT/new.ts",
  },
  {
    id: "nested-repository",
    tries: "hides new files in a repository inside the project",
    line:
      `mkdir inner; echo x > inner/new.ts; git -C inner init -q; git -C inner add -A; ${GIT} -C inner commit -qm x`,
  },
  {
    id: "nested-repository-empty",
    tries: "hides new files in a repository inside the project that has no commit",
    line: "mkdir inner; echo x > inner/new.ts; git -C inner init -q",
  },
  {
    id: "folder-becomes-repository",
    tries: "makes a folder of the project a repository of its own and adds a file",
    line: "git -C src init -q; echo x > src/new.ts",
    honest: "mkdir inner; git -C inner init -q",
  },
  {
    id: "submodule-moved",
    tries: "moves the commit of a submodule",
    before:
      `git init -q .git/lib; ${GIT} -C .git/lib commit -q --allow-empty -m one; git -c protocol.file.allow=always submodule --quiet add "$PWD/.git/lib" sub; git add -A; ${GIT} commit -qm sub`,
    line: `${GIT} -C sub commit -q --allow-empty -m two`,
  },
  {
    id: "huge-file",
    tries: "adds a file that is too large for a snapshot",
    line: "truncate -s 60M src/huge.bin",
  },
  {
    id: "huge-file-changed",
    tries: "changes a file that is too large for a snapshot",
    before: "truncate -s 60M src/huge.bin",
    line: "printf x | dd of=src/huge.bin conv=notrunc status=none",
  },
  {
    id: "private-index",
    tries: "hides an edit in the private index of the session",
    line:
      "for f in .git/code-intel/session_*.index; do GIT_INDEX_FILE=$PWD/$f git update-index --assume-unchanged src/view.ts; done; echo '// x' >> src/view.ts",
    honest: "git update-index --assume-unchanged src/view.ts; echo '// x' >> src/view.ts",
  },
];

function toAttack(deed: Deed): Attack {
  const { id, tries, line, before = "true", found = "unauthorized_change" } = deed;
  return {
    id,
    tries,
    found: [found],
    at: "submit_phase@12",
    async attack(ground) {
      const env = await giveHome(ground);
      await ground.sh(before, env);
      const session = await ground.to(12);
      await ground.sh(line, env);
      return await submitDue(session);
    },
    async honest(ground) {
      const env = await giveHome(ground);
      await ground.sh(before, env);
      await ground.sh(deed.honest ?? line, env);
      const session = await ground.to(12);
      return await submitDue(session);
    },
  };
}

/** A home folder for the server and the shell, so that no try meets the one of the person. */
async function giveHome(ground: Ground): Promise<Readonly<Record<string, string>>> {
  const home = join(ground.project.stateDir, "home");
  await Deno.mkdir(home, { recursive: true });
  // Not HOME itself: Deno keeps its packages there.
  const env = { XDG_CONFIG_HOME: home };
  ground.give(env);
  return env;
}

const SECOND_MS = 1000;

/** Waits for a second to begin, so that what follows has one file time. */
async function toNewSecond(): Promise<void> {
  const rest = SECOND_MS - Date.now() % SECOND_MS;
  await new Promise((resolve) => setTimeout(resolve, rest + 5));
}

const OLD = "touch -d 2020-01-01 src/view.ts";
const SECOND = "stat -c %Z src/view.ts";

const SPECIAL: readonly Attack[] = [
  {
    id: "same-second",
    tries: "changes a file in the second in which the server looked, same size, old time",
    found: ["unauthorized_change"],
    at: "submit_phase@4",
    async attack(ground) {
      const session = await ground.open();
      // A slow machine takes longer than the second: it tries again.
      for (let tries = 0; tries < 8; tries++) {
        await toNewSecond();
        const before = await ground.sh(`${OLD}; git update-index --refresh; ${SECOND}`);
        const begun = await session.begin();
        if (begun.ok !== true) return passed(true, begun);
        const steal = "printf '// stolen %4d' 1 | dd of=src/view.ts conv=notrunc status=none";
        const after = await ground.sh(`${steal}; ${OLD}; ${SECOND}`);
        if (before === after) break;
        await ground.sh("git checkout -q -- src/view.ts");
        await session.accept({ abandon: true, reason: "too slow" });
      }
      return await submitDue(session);
    },
    async honest(ground) {
      const session = await ground.open();
      await toNewSecond();
      await ground.sh(`${OLD}; git update-index --refresh`);
      await session.begin();
      await ground.sh(OLD);
      return await submitDue(session);
    },
  },
  {
    id: "outside-by-cleared-link",
    tries: "makes a cleared new file a link to a file outside and claims its lines",
    found: ["unauthorized_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13, {
        ...FAST,
        edits: { "src/new.ts": "export const x = 1;\n" },
      });
      await session.must("add_explored_files", { files: ["src"] });
      await session.must("check_write_target", { file_path: "src/new.ts", allow_new_files: true });
      await ground.sh("ln -s /etc/passwd src/new.ts");
      return await session.submit({
        task_id: "task_1",
        checklist: [{ item: "Change src/new.ts", status: "done", evidence: "src/new.ts:1" }],
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
export const HIDDEN_ATTACKS: readonly Attack[] = [...DEEDS.map(toAttack), ...SPECIAL];
