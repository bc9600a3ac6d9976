/** What can be said of a commit and its note, and how much each of it weighs. Pure. */

/** How much a code weighs: proven, worth telling, or a reason to fail. */
export type ChainLevel = "good" | "note" | "finding";

/** A row of {@link CHAIN_CODES}. */
export interface ChainCodeRow {
  readonly level: ChainLevel;
  /** What it means, as a sentence for the documents and the summary. */
  readonly meaning: string;
}

/** Every answer about a commit, by code. */
export const CHAIN_CODES = {
  attested: {
    level: "good",
    meaning:
      "The note is about this commit and its tree, says what the trailers say, and a known key signed it.",
  },
  same_tree: {
    level: "good",
    meaning:
      "The commit was made anew (an amended message): the signed note is about a commit of the same session with the same tree and parents.",
  },
  merge: {
    level: "good",
    meaning: "git's own merge of an attested commit, with exactly its tree.",
  },
  merge_moved: {
    level: "note",
    meaning:
      "git's own merge of an attested commit into a base that had moved: no session ran the tree that came of it. `--rerun` does.",
  },
  unclaimed: {
    level: "note",
    meaning: "The commit has no trailer of a session, and claims nothing.",
  },
  missing: {
    level: "finding",
    meaning:
      "The commit has the trailers of a session, and there is no note about it: nothing shows that the session made it.",
  },
  rewritten: {
    level: "finding",
    meaning:
      "There is no note about this commit, but one with the same trailers about a commit that left the history: it was amended, rebased or squashed after the verification.",
  },
  merge_unproven: {
    level: "finding",
    meaning:
      "The merge commit of a session whose merged commit is not attested, or whose parents git cannot merge here.",
  },
  merge_differs: {
    level: "finding",
    meaning:
      "The merge commit of a session is not what git makes of its two parents: somebody put other content into it, or resolved conflicts by hand, and no session ran it.",
  },
  copied: {
    level: "finding",
    meaning:
      "The note beside this commit is about another one: somebody copied it, or git carried it along.",
  },
  unreadable: {
    level: "finding",
    meaning: "The note is no statement: too large, damaged, or of another form.",
  },
  bad_signature: {
    level: "finding",
    meaning: "The note was changed after it was signed.",
  },
  trailer_differs: {
    level: "finding",
    meaning: "The trailers of the commit say something else than the note.",
  },
  inconsistent: {
    level: "finding",
    meaning: "The statement contradicts itself: it says verified, and its own run did not pass.",
  },
  unsigned: {
    level: "finding",
    meaning:
      "The note fits, but nobody signed it: whoever can push notes can write one. `--allow-unsigned` lets it pass.",
  },
  unknown_key: {
    level: "finding",
    meaning:
      "The signature is good, but nothing here says whose key it is: name it in the file of allowed signers, or with `--signer`.",
  },
  untrusted_key: {
    level: "finding",
    meaning:
      "The signature is good, and its key is in the keyring, but nobody vouches for its owner: trust it there, or name it with `--signer`.",
  },
  other_signer: {
    level: "finding",
    meaning: "The signature is good, but none of the keys that `--signer` names made it.",
  },
  expired_key: {
    level: "finding",
    meaning: "The signature or its key has expired.",
  },
  revoked_key: {
    level: "finding",
    meaning: "The key of the signature was revoked.",
  },
  unchecked: {
    level: "finding",
    meaning:
      "The signature could not be checked: the public key or the signing program is missing here.",
  },
  not_enough: {
    level: "finding",
    meaning: "Everything fits, and the commit is verified less well than `--value` asks for.",
  },
} as const satisfies Readonly<Record<string, ChainCodeRow>>;

/** An answer about a commit. */
export type ChainCode = keyof typeof CHAIN_CODES;
