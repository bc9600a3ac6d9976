/** Every bound of the program in one table, from which `docs/limits.md` is made. */
import { STEP } from "../steps.ts";

/** A bound with the reason for its value. */
export interface Limit {
  /** The value, in the unit that the name ends with. */
  readonly value: number;
  /** Where it comes from: measured, decided for the reason that it gives, or guessed. */
  readonly why: string;
}

/** All bounds by name; the name ends with the unit. */
export const LIMITS = {
  replyDefaultBytes: {
    value: 16 * 1024,
    why: "Default budget of a reply: about 4,000 tokens of a model.",
  },
  replyMaxBytes: {
    value: 256 * 1024,
    why: "Largest budget that a call may ask for: more would fill a model's context.",
  },
  replyMinBytes: { value: 1024, why: "Below this no useful reply fits (guessed)." },
  lineChars: {
    value: 400,
    why: "A line is cut around its match: minified lines would fill the reply.",
  },
  summaryChars: {
    value: 2000,
    why:
      "A summary is cut beyond, with a notice: every summary comes back to an agent without memory.",
  },
  reasonMinChars: {
    value: 10,
    why:
      "Shortest reason after trimming: less says nothing, and more would refuse a short honest one.",
  },
  argumentBytes: { value: 1024 * 1024, why: "Largest argument object of a call (guessed)." },
  inputBytes: {
    value: 16 * 1024 * 1024,
    why: "Longest standard input of a command, and largest file that it reads (guessed).",
  },
  messageBytes: {
    value: 10 * 1024 * 1024,
    why: "Largest message of a client: ten times the largest arguments (guessed).",
  },
  httpConnections: {
    value: 64,
    why:
      "Connections of clients over HTTP; the one that was used longest ago ends first (guessed).",
  },
  httpSockets: {
    value: 512,
    why:
      "Connections at a time over HTTP, fewer where the limit of open files says so: each takes three (guessed: 50 clients with ten each).",
  },
  httpHeadBytes: {
    value: 64 * 1024,
    why:
      "Longest head of a request over HTTP; what comes with it is kept until it is whole (guessed).",
  },
  httpHeadMs: {
    value: 10_000,
    why:
      "A connection over HTTP on which no whole head has come within this time ends (guessed: 100 x the time over a slow network).",
  },
  httpRequestMs: {
    value: 60_000,
    why:
      "A request over HTTP that has no first byte of an answer within this time was never sent whole, and its connection ends (guessed).",
  },
  httpIdleMs: {
    value: 120_000,
    why:
      "A connection over HTTP in which neither side says anything ends; open streams say something every 15 s (guessed: 8 x that).",
  },
  textFieldChars: {
    value: 20_000,
    why: "Longest free text of a payload beside the summary (guessed).",
  },
  listItems: {
    value: 2_000,
    why:
      "Longest list in a payload, and most files of each kind that the record of an analysis of impact keeps (guessed).",
  },
  answerPartMs: {
    value: 5_000,
    why:
      "Longest part of an answer: listing folders, reading the files that it is about (one of 10,000 lines takes a second, measured), git saying where lines come from, a first look at the code of a frame.",
  },
  answerBytes: {
    value: 4 * 1024,
    why:
      `Default budget of one kind of answer: lines and places that were found (some 40), an analysis of impact, the review of ${STEP.PRE_COMMIT} (trials read up to 22 KB, and used the first).`,
  },
  outlineBytes: {
    value: 5 * 1024,
    why: "Default budget of an outline: classes and functions of a usual file (trials read 9 KB).",
  },
  joinedPayloads: {
    value: 24,
    why:
      "Payloads of one submit_phase call: all steps of a session, with the reports of several tasks (guessed).",
  },
  searchPatterns: {
    value: 5,
    why: "Patterns of one search_text call: enough for the spellings of one name.",
  },
  searchResults: { value: 1_000, why: "Largest max_results of a search (guessed)." },
  recordNames: { value: 200, why: "Names of symbols in the record of one call (guessed)." },
  peekMs: {
    value: 10_000,
    why:
      "Longest time for which files are read for one question, where no index has them: 1,000 files of script in one thread (measured: 9 ms each). A hub and the search for near tests have as long.",
  },
  peekFurtherMs: {
    value: 500,
    why:
      "Time for which further files are read after the likeliest ones gave the definition: a person hardly notices it.",
  },
  peekMemoryMb: {
    value: 8,
    why:
      "Bytes of the texts whose analyses are remembered until the index is built: the next question is often about the same files (guessed).",
  },
  fileBytes: {
    value: 1024 * 1024,
    why:
      "Larger files are not scanned for symbols, larger documents and objects of git not read whole: they are data or generated.",
  },
  searchedFileMb: {
    value: 256,
    why: "Larger files are not read as one text to search them or to show their lines (guessed).",
  },
  comparedFileMb: {
    value: 16,
    why:
      "Larger files are compared as a whole, not line by line: a diff of 16 MB takes 0.3 s, one of 300 MB minutes (measured).",
  },
  snapshotFileMb: {
    value: 50,
    why:
      "Larger untracked files are recorded by hash only: copies of them would fill the repository.",
  },
  untrackedFiles: {
    value: 5_000,
    why:
      "From so many untracked files on a session's start says how many it has copied (guessed): people seldom have so much work in hand.",
  },
  untrackedMb: { value: 200, why: "The same, by their size together (guessed)." },
  plainFiles: {
    value: 50_000,
    why:
      "Most files that are listed without git, near ones first, and most untracked ones in a repository, those in folders of few first: a folder of more is hardly one project, and listing them takes some 2 s.",
  },
  manifestFiles: {
    value: 20_000,
    why: "Most files that are watched without git: each call looks at all, under 1 s (measured).",
  },
  manifestTotalMb: {
    value: 1_024,
    why: "Most bytes that are hashed at the first look without git (guessed: some seconds).",
  },
  openFiles: {
    value: 96,
    why:
      "Files that can be opened at the start, or it is refused: seven threads take 8 each, a program 6 while it runs (measured).",
  },
  lockWaitMs: {
    value: 10_000,
    why: "Longest wait for the operation lock (guessed: 100 x a call).",
  },
  gitMemoryBytes: {
    value: 4 * 1024 * 1024,
    why:
      "Answers of git about objects that a process remembers; a session needs some ten KB (measured).",
  },
  refFileBytes: { value: 4096, why: "A ref is one line; git allows names of about this length." },
  gitTimeoutMs: {
    value: 120_000,
    why: "Longest run of one git command, and longest writing of a clean checkout (guessed).",
  },
  gitPipeLookMs: {
    value: 1_000,
    why:
      "A git command that runs longer is examined: it may hang on a pipe that stands in the place of a `.gitignore` (guessed).",
  },
  signSeconds: {
    value: 20,
    why:
      "Longest wait for the signature of a statement, in seconds: a signing program that asks a person ends with it (guessed).",
  },
  noteBytes: {
    value: 512 * 1024,
    why: "Largest note with a statement that is written or read (guessed; usual ones have 5 KiB).",
  },
  attestedCommits: {
    value: 2_000,
    why: "Most commits of a range that `attest verify` checks (guessed).",
  },
  searchedNotes: {
    value: 5_000,
    why:
      "Most notes that are read to find out what became of a commit without one, such as an amended one (guessed).",
  },
  gitHookTimeoutMs: { value: 600_000, why: "Longest run of the project's git hooks (guessed)." },
  answerMs: {
    value: 30_000,
    why:
      "Longest work for one answer: half of the 60 s after which clients give a call up (default of their library).",
  },
  parseTimeoutMs: {
    value: 2_000,
    why: "Longest parse of one text; 1 MiB of ordinary code takes about 0.35 s (measured).",
  },
  treeStepMs: {
    value: 5_000,
    why:
      "Longest parse of one content, and longest search in its tree, in the time of the thread itself (guessed: 10 x the longest that was seen).",
  },
  analysisTimeoutMs: {
    value: 90_000,
    why:
      "Longest analysis of one content before its worker is ended as hanging. On a busy machine one takes 20 s (measured); a file that is given up stays out of the index until it changes.",
  },
  workerIdleMs: {
    value: 10_000,
    why:
      "Idle workers that analyse contents end after this time, since each holds some 30 MB, the last after ten times (guessed).",
  },
  hubThreads: {
    value: 8,
    why:
      "Most threads that answer for a hub where none are named: as many as there are processors, at least two, up to this: each has a connection, 35 MB at its start and 90 MB in use (measured).",
  },
  hubWaitingCalls: {
    value: 200,
    why:
      "Calls that wait for a free thread of a hub, of all clients together: some seconds of work for two threads; further ones are refused (guessed).",
  },
  hubWaitMs: {
    value: 15_000,
    why:
      "Longest wait of a call for a free thread of a hub. Clients give a call up after 60 s, and its answer needs time too (guessed).",
  },
  hubCallMs: {
    value: 45_000,
    why:
      "Longest work of a thread of a hub on one call; then the thread is replaced: with the wait before it is what clients wait for. A statement alone ends after 30 s (guessed).",
  },
  hubThreadMb: {
    value: 512,
    why:
      "A thread of a hub that holds more of its engine's memory after a call is replaced by a new one, since what it remembers of repositories would end the whole server (guessed: ten times a usual one).",
  },
  hubEndMs: {
    value: 10_000,
    why:
      "A hub's server that is ended waits so long for the calls that it has; supervisors kill after 10 to 30 s (guessed).",
  },
  serverRestMs: {
    value: 30_000,
    why:
      "A server gives memory back when it was asked nothing for this long: it takes some 50 ms (guessed).",
  },
  modelIdleMs: {
    value: 45_000,
    why:
      "The embedding model leaves memory this long after its last text: within the promised minute.",
  },
  embedBudgetMs: {
    value: 250,
    why:
      "Time of an answer to a question in another language for vectors that it lacks: about three digests on one thread (`deno task bench`).",
  },
  vectorsAtOnce: {
    value: 350,
    why:
      "Digests that are made behind the answers after one activity, most useful first; then it rests: 500 files of real code took a core for 80 s without a rest, so that this takes about 45 s (measured).",
  },
  embedRestMs: {
    value: 500,
    why:
      "No vector is begun behind the answers for this time after one, so that the next of a burst is not slowed (measured).",
  },
  embeddingTimeoutMs: {
    value: 60_000,
    why:
      "Longest embedding of one text, the loading of the model included; both take about 2 s (measured).",
  },
  indexWaitMs: {
    value: 3_000,
    why:
      "Longest wait of an answer for an index: the own one that is being built, one of SCIP that is being read, or those of other repositories (guessed).",
  },
  longAnswerMs: {
    value: 20_000,
    why:
      "Longest wait of a question that has no other source: the past while it is read, an analysis of impact while the index is built. Refused, it costs the agent another call (guessed).",
  },
  briefAnswerMs: {
    value: 8_000,
    why:
      "Time that all questions of one command share where half an answer is one: with the start and the last look at 200,000 files some 10 s (measured). What was read by then is kept.",
  },
  freshnessMs: {
    value: 300,
    why:
      "Longest time that an answer waits for changed files to be read, or for the past: a person hardly notices it.",
  },
  pendingPaths: {
    value: 50,
    why: "Changed files that an answer names; all are counted (guessed).",
  },
  scipFileBytes: {
    value: 160 * 1024 * 1024,
    why: "Largest SCIP index that is read: some 2,000,000 places (measured: 75 bytes each).",
  },
  scipDocuments: { value: 100_000, why: "Most documents of a SCIP index (guessed)." },
  settingsBytes: {
    value: 256 * 1024,
    why:
      "Largest `config.json`, `context.yml`, `phase_contract.yml` or build file that is read: a thousand times an ordinary one; parsing this much YAML takes at most some seconds (measured).",
  },
  setupFileBytes: {
    value: 32 * 1024 * 1024,
    why: "A larger file of a client is not edited by `init`; theirs grow with use (guessed).",
  },
  stateFileBytes: {
    value: 4 * 1024 * 1024,
    why:
      "Largest file of marks, trust, results of runs or the learning log that is read, and largest settings file of git with which it is started (guessed).",
  },
  wholeFileBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Largest file that is read whole: a session's records (50,000 calls), coverage (LCOV of five million lines), the past (20,000 commits of 3 KB), files that claims are about (guessed).",
  },
  gitFileBytes: {
    value: 256 * 1024 * 1024,
    why: "Largest file of the git folder that is read: an index of two million files (guessed).",
  },
  evidenceMarginLines: {
    value: 20,
    why:
      "Lines that evidence may have beside a change, or beside the function that it is in: more shows nothing, and less would refuse the paragraph around it (guessed).",
  },
  heldBytes: {
    value: 512 * 1024 * 1024,
    why:
      "Most bytes that are held in memory at once: a kept content that is brought back, or the coverage of some 1,500 processes of Node with 300 KiB each (measured).",
  },
  checkpointBytes: { value: 8 * 1024 * 1024, why: "A larger checkpoint is not read (guessed)." },
  briefBytes: {
    value: 10 * 1024,
    why: "The brief of a session: about 2,500 tokens, little beside the work itself.",
  },
  backToCount: {
    value: 3,
    why: "Ways back before the person is asked: a fourth would hardly go better.",
  },
  checkoutFiles: {
    value: 100_000,
    why:
      "Most files of a clean checkout for the verification commands; beyond, they run in the worktree (guessed).",
  },
  checkoutMb: {
    value: 2_048,
    why: "Most MiB of a clean checkout; beyond, the commands run in the worktree (guessed).",
  },
  trialRunMs: {
    value: 60_000,
    why:
      "Longest trial of a command that was just allowed: long enough for most tests, and a person is waiting (guessed).",
  },
  lentEntries: {
    value: 20_000,
    why:
      "Most entries that are linked into a clean checkout; one link takes about 20 µs (guessed).",
  },
  dependencyEntries: {
    value: 300_000,
    why:
      "Most entries of installed dependencies whose times are looked at after a run: about 2 s (guessed).",
  },
  proofSeconds: {
    value: 120,
    why:
      "Longest run of the changed tests on the sources of before the work; what is not done by then stays unknown (guessed).",
  },
  mutantSeconds: {
    value: 60,
    why:
      "Longest trial of small wrong versions of the changed lines, their first run without one included; what is left by then is not tried (guessed).",
  },
  verificationFailures: {
    value: 3,
    why: "Failures of one task before the intervention: then another approach is needed.",
  },
  interventions: {
    value: 2,
    why: "The intervention at which the person is asked: one other approach was tried by then.",
  },
  qualityReverts: {
    value: 3,
    why:
      "Reviews with issues before the completion is forced: a reviewer could find issues for ever.",
  },
  learningLogBytes: {
    value: 512 * 1024,
    why:
      "A new learning log is begun when one is larger; it and the one before hold some 700 sessions (guessed).",
  },
  agreementFiles: { value: 1_000, why: "Agreements that are read and kept (guessed)." },
  agreementBytes: { value: 32 * 1024, why: "A larger file is no agreement (guessed)." },
  recalledItems: { value: 3, why: "Agreements, and past commits, in a reply (guessed)." },
  recalledFailures: { value: 2, why: "Past failures in a start reply, about 800 bytes (guessed)." },
  recallCheckMs: {
    value: 1_000,
    why: "Longest look whether symbols of learned terms still exist (guessed).",
  },
  archiveDays: {
    value: 30,
    why:
      "Archived checkpoints, contents that no worktree has, and shared packs that no push has used are kept this long: a month to look back.",
  },
  snapshotDays: {
    value: 14,
    why:
      "Snapshots are kept this long after the end: two weeks, as git keeps unused objects by default.",
  },
  historyCommits: {
    value: 20_000,
    why:
      "Most commits of the past that are read: some ten years of a large project (guessed); 13,500 real ones took 3 s of processor time to read.",
  },
  historyFiles: {
    value: 100,
    why:
      "A commit of more files counts as no single piece of work, and its files not as changed together (guessed).",
  },
  historyMessageChars: {
    value: 1_000,
    why:
      "What is kept of a commit's message: what was asked for stands in its first lines (guessed).",
  },
  pastWorkBytes: {
    value: 600,
    why: "Most bytes of a reply about past commits like the request (guessed).",
  },
  shareLookMs: {
    value: 20_000,
    why: "Longest wait for a remote to say what it shares (guessed).",
  },
  shareFetchMs: {
    value: 300_000,
    why: "Longest time that git may take to bring what is shared, or to hand it over (guessed).",
  },
  sharePullHours: {
    value: 1,
    why: "A server that starts asks the remote again after so long (guessed).",
  },
  shareBytes: {
    value: 4 * 1024 * 1024 * 1024,
    why: "Most bytes of shared analyses on this machine: those of some 1,000,000 files (guessed).",
  },
  sharePacks: { value: 4_000, why: "Most packs of a remote that are looked at (guessed)." },
  sharePackRecords: {
    value: 1_000,
    why: "Most records of a pack: a few MB, which are made whole in memory (guessed).",
  },
  sharePackBytes: {
    value: 16 * 1024 * 1024,
    why: "Largest pack as it is stored; four times what real ones have (guessed).",
  },
  sharePackKeysBytes: {
    value: 1024 * 1024,
    why:
      "Largest list of what one pack holds: 17 bytes for a record, and each way of analysing once.",
  },
  shareMemoryBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Most bytes of one shared pack once it is made whole, and of the lists of what the packs hold (17 for a record): a small pack cannot fill the memory (guessed).",
  },
  shareProofs: {
    value: 3,
    why: "Records of a pack that are analysed all the same on an average, and compared.",
  },
  shareProofEvery: {
    value: 50,
    why: "Of a large pack one record in so many is analysed all the same and compared.",
  },
  workspaceMembers: {
    value: 100,
    why: "Most repositories that a project can add to its workspace (aim: 20 in 20 ms).",
  },
  workspaceReadersOpen: {
    value: 40,
    why:
      "Indexes of other repositories that stay open between two questions; each takes up to 8 MB.",
  },
  workspaceRefreshMs: {
    value: 30_000,
    why:
      "An index of another repository is brought up to date behind an answer, this often at most.",
  },
  workspaceReplyBytes: {
    value: 3_000,
    why: "Room of a reply for the places in other repositories; totals are always named.",
  },
  hubSearchBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Texts of the store that one call of a hub searches: some 8,000 files of 8 KB (2,400 take 0.1 to 0.25 s of a processor, measured).",
  },
  hubPatternMs: {
    value: 3_000,
    why:
      "Longest time of an expression over 4 MiB of texts, of which ordinary ones take 0.1 s; beyond it is taken for endless.",
  },
} as const satisfies Record<string, Limit>;
