/** Statements beside commits: missing, copied, changed, signed by somebody else, or with another trailer. */
import { join } from "node:path";
import { runProgram } from "../support/server/cli.ts";
import { isKnownCommand } from "../support/known_commands.ts";
import { isHere } from "../support/needs.ts";
import type { Reply } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, passed } from "./attack.ts";

const NOTES = "git notes --ref=code-intel";
const MALLORY = "git -c user.name=Mallory -c user.email=mallory@example.org";

/** Makes a key below `.git`, and gives its path. */
async function makeKey({ dir }: Ground, name: string): Promise<string> {
  const key = join(dir, ".git", name);
  const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key];
  await new Deno.Command("ssh-keygen", { args }).output();
  return key;
}

/** A repository with the commit of a session on main, its signed note, and the keys that are known. */
async function toSigned(ground: Ground): Promise<void> {
  await useSigners(ground);
  await finish(await ground.start(FAST));
}

/** From now on git signs with a key that is known. */
async function useSigners(ground: Ground): Promise<void> {
  const key = await makeKey(ground, "key");
  await ground.sh(`git config gpg.format ssh; git config user.signingKey '${key}'`);
  await ground.sh("printf 'anna@example.org %s\\n' \"$(cat .git/key.pub)\" > .git/signers");
}

/** What `code-intel attest verify` finds; only the codes of findings. */
async function verify({ project, dir }: Ground, range: string): Promise<Reply> {
  const words = ["attest", "verify", range, "--allowed-signers", ".git/signers", "--json"];
  const { code, stdout } = await runProgram(words, { cwd: dir, env: project.env });
  if (code === 0) return { ok: true };
  const rows: readonly { readonly level: string; readonly code: string }[] =
    JSON.parse(stdout).commits;
  const problems = rows.filter(({ level }) => level === "finding");
  return { ok: false, error: "attest_findings", problems };
}

/** Makes of the session's commit one with the same tree and another text, on a branch `other`. */
const REWORD = (sed: string) =>
  `new=$(git cat-file commit main^2 | sed '${sed}' | git hash-object -t commit -w --stdin); git update-ref refs/heads/other $new; `;

/** Makes the merge of the session anew on a branch `other`, with the tree that the index has by then. */
const REMERGE = (stage: string, parents = "-p main^1 -p main^2") =>
  `git checkout -q --detach main; ${stage}; new=$(${MALLORY} commit-tree $(git write-tree) ${parents} -m "$(git log -1 --format=%B main)"); git update-ref refs/heads/other $new; git reset -q --hard; git checkout -q main`;
const EVIL = "echo evil > evil.ts; git add evil.ts";
/** A base that moved beside the session's work, as the branch `moved`. */
const MOVED =
  `git checkout -q --detach main^1; echo base > base.ts; git add base.ts; git commit -qm 'Base moved'; git update-ref refs/heads/moved HEAD`;

interface Deed {
  readonly id: string;
  readonly tries: string;
  readonly found: string;
  /** A shell line, then the range that is checked. */
  readonly line: string;
  readonly range: string;
  /** The same of the legitimate deed. */
  readonly honest: readonly [line: string, range: string];
}

function toAttack({ id, tries, found, line, range, honest }: Deed): Attack {
  const doIt = async (ground: Ground, deed: string, checked: string) => {
    await toSigned(ground);
    await ground.sh(deed);
    ground.lastCall = "attest verify";
    return await verify(ground, checked);
  };
  return {
    id,
    tries,
    found: [found],
    at: "attest verify",
    attack: async (ground) => await doIt(ground, line, range),
    honest: async (ground) => await doIt(ground, ...honest),
  };
}

/** What was signed stays the message of a commit without files, so that git itself can check it. */
const SIGNED_BY_MALLORY = `ssh-keygen -q -t ed25519 -N '' -C '' -f .git/mallory
tree=$(git mktree < /dev/null)
text=$(${NOTES} show main^2 | sed '1,/^$/d')
made=$(printf '%s\\n' "$text" | ${MALLORY} -c gpg.format=ssh -c user.signingKey=.git/mallory commit-tree -S $tree)
blob=$(git cat-file commit $made | git hash-object -w --stdin)
${NOTES} add -f -C $blob main^2 2>/dev/null
`;

const DEEDS: readonly Deed[] = [
  {
    id: "note-missing",
    tries: "removes the statement beside a commit, and leaves its trailer",
    found: "missing",
    line: `${NOTES} remove main^2 2>/dev/null`,
    range: "main^2",
    honest: ["git branch -q kept main^2; git branch -qm kept renamed", "main^..main"],
  },
  {
    id: "trailer-invented",
    tries: "gives work of its own the trailers of a real session, without a statement",
    found: "missing",
    line:
      `git checkout -q -b other; echo evil > evil.ts; git add evil.ts; ${MALLORY} commit -qm "$(git log -1 --format=%B main^2)"`,
    range: "main..other",
    honest: [REWORD("s/^Refuse/Do refuse/"), "main^..other"],
  },
  {
    id: "note-copied",
    tries: "puts the statement of a verified commit beside work of its own",
    found: "copied",
    line:
      `git checkout -q -b other; echo evil > evil.ts; git add evil.ts; ${MALLORY} commit -qm "$(git log -1 --format=%B main^2)"; ${NOTES} copy -f main^2 HEAD`,
    range: "main..other",
    honest: [REWORD("s/^Refuse/Do refuse/"), "main^..other"],
  },
  {
    id: "note-changed",
    tries: "changes what a signed statement says, and the commit with it",
    found: "bad_signature",
    line: REWORD("s/: self-reported$/: yes/") +
      `blob=$(${NOTES} show main^2 | sed 's/"verified":"self-reported"/"verified":"yes"/' | sed "s/$(git rev-parse main^2)/$new/g" | git hash-object -w --stdin); ${NOTES} add -f -C $blob $new 2>/dev/null`,
    range: "main^..other",
    honest: [
      `${NOTES} add -m 'a note of another commit' main~1 2>/dev/null; git notes add -m 'a note of the person' main^2`,
      "main^2",
    ],
  },
  {
    id: "note-signed-by-another",
    tries: "signs a statement with a key that nobody here knows",
    found: "unknown_key",
    line: SIGNED_BY_MALLORY,
    range: "main^2",
    honest: [
      `${SIGNED_BY_MALLORY}printf 'mallory@example.org %s\\n' "$(cat .git/mallory.pub)" >> .git/signers`,
      "main^2",
    ],
  },
  {
    id: "trailer-raised",
    tries: "raises the trailer of an amended commit, whose tree a signed statement is about",
    found: "trailer_differs",
    line: REWORD("s/: self-reported$/: yes/"),
    range: "main^..other",
    honest: [REWORD("s/^Refuse/Do refuse/"), "main^..other"],
  },
];

/** Merge commits, which have no statement of their own. */
const MERGES: readonly Deed[] = [
  {
    id: "merge-with-more",
    tries: "makes the session's merge by hand, with a file that no session had",
    found: "merge_differs",
    line: REMERGE(EVIL),
    range: "main^2..other",
    honest: [REMERGE("true"), "main^2..other"],
  },
  {
    id: "merge-into-moved-with-more",
    tries: "merges verified work by hand into a base that moved, and adds a file",
    found: "merge_differs",
    line: `${MOVED}; ${
      REMERGE(
        `git read-tree $(git merge-tree --write-tree moved main^2); ${EVIL}`,
        "-p moved -p main^2",
      )
    }`,
    range: "other",
    honest: [
      `${MOVED}; ${
        REMERGE("git read-tree $(git merge-tree --write-tree moved main^2)", "-p moved -p main^2")
      }`,
      "other",
    ],
  },
  {
    id: "merge-takes-the-base-back",
    tries: "merges verified work so that what the base got meanwhile is gone",
    found: "merge_differs",
    line: `${MOVED}; ${REMERGE("git read-tree main^2", "-p moved -p main^2")}`,
    range: "other",
    honest: [REMERGE("git read-tree main^2"), "other"],
  },
  {
    id: "merge-leaves-the-work-out",
    tries: "merges verified work with `-s ours`, which takes nothing of it",
    found: "merge_differs",
    line: REMERGE("git read-tree main^1"),
    range: "other",
    honest: [REMERGE("true"), "other"],
  },
  {
    id: "merge-of-three",
    tries: "gives a merge of three parents the trailer of a session",
    found: "missing",
    line: `${MOVED}; ${REMERGE("true", "-p main^1 -p main^2 -p moved")}`,
    range: "other",
    // Without the trailer a merge of three parents claims nothing.
    honest: [
      `${MOVED}; git update-ref refs/heads/other $(git commit-tree main^{tree} -p main^1 -p main^2 -p moved -m 'Merge all'); git checkout -q main`,
      "other",
    ],
  },
  {
    id: "merge-replaced",
    tries: "lets `git replace` show another merge than the one that is checked",
    found: "merge_differs",
    line: `${REMERGE(EVIL)}; git replace other main`,
    range: "other",
    honest: [
      `${REMERGE("true")}; git replace main~1 $(git commit-tree main^2^{tree} -m other)`,
      "other",
    ],
  },
  {
    id: "tree-replaced",
    tries: "lets `git replace` show another tree than that of the merge",
    found: "merge_differs",
    line: `${REMERGE(EVIL)}; git replace other^{tree} main^{tree}`,
    range: "other",
    honest: [REMERGE("true"), "other"],
  },
];

/** Work that a reviewer found wanting three times is completed by force; the trace of it is taken away. */
const FORCED: Attack = {
  id: "forced-and-silent",
  tries: "takes the lines about a forced completion out of the commit",
  found: ["trailer_differs"],
  at: "attest verify",
  attack: async (ground) => {
    await toForced(ground);
    await ground.sh(REWORD("/^Code-Intel-Forced/d"));
    ground.lastCall = "attest verify";
    return await verify(ground, "main^..other");
  },
  honest: async (ground) => {
    const end = await toForced(ground);
    const said = await ground.sh("git log -2 --format=%B main^..main");
    const isSaid = end.forced_completion === true &&
      (said.match(/^Code-Intel-Forced/gm)?.length ?? 0) === 4;
    const { ok } = await verify(ground, "main^..main");
    return passed(isSaid && ok === true, { said, end });
  },
};

async function toForced(ground: Ground): Promise<Reply> {
  await useSigners(ground);
  const quality = [["unclear"], ["still unclear"], ["unclear for good"]];
  return await finish(await ground.start({ flags: { no_doc: true }, quality }));
}

const ALL: readonly Attack[] = [...[...DEEDS, ...MERGES].map(toAttack), FORCED];

/** The attacks of this theme that can be tried here; signing needs a program that makes keys. */
export const ATTEST_ATTACKS: readonly Attack[] = isHere("ssh_keygen") && isKnownCommand(["attest"])
  ? ALL
  : [];

/** How many cannot. */
export const ATTEST_LEFT_OUT = ALL.length - ATTEST_ATTACKS.length;
