/** Every bound of the program in one table, from which `docs/limits.md` is made. */

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
    why: "Longest standard input of a command, and largest file that it is told to read (guessed).",
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
  listItems: { value: 2_000, why: "Longest list in a payload (guessed)." },
  orientationMs: {
    value: 5_000,
    why:
      "Longest first look at the code of an accepted frame: the reply goes without it where the index is still being built (guessed).",
  },
  firstReviewBytes: {
    value: 4 * 1024,
    why:
      "The review in the reply that opens step 17: every file, and diffs as far as this goes (the agent wrote them itself; measured sessions read 15 KB of them).",
  },
  outlineBytes: {
    value: 5 * 1024,
    why: "Default budget of an outline: classes and functions of a usual file (trials read 9 KB).",
  },
  searchReplyBytes: {
    value: 4 * 1024,
    why:
      "Default budget of lines and places that a search found: some 40 of them (trials read up to 22 KB, and used the first).",
  },
  impactReplyBytes: {
    value: 4 * 1024,
    why:
      "Default budget of an analysis of impact: what must be decided, and some of the rest (trials read 11 to 17 KB, and used a few names).",
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
  impactFiles: {
    value: 2_000,
    why: "Files of each kind that the record of an analysis of impact keeps (guessed).",
  },
  peekMs: {
    value: 10_000,
    why:
      "Longest time for which files are read for one question, where no index has them: 1,000 files of script in one thread (measured: 9 ms each).",
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
    why: "Larger files are not scanned for symbols: they are data or generated.",
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
  untrackedMb: {
    value: 200,
    why: "The same, by their size together (guessed).",
  },
  plainFiles: {
    value: 50_000,
    why:
      "Most files that are listed without git, near ones first, and most untracked ones in a repository, those in folders of few first: a folder of more is hardly one project, and listing them takes some 2 s.",
  },
  walkMs: {
    value: 5_000,
    why: "Longest time for which folders are listed for one question: half of what it has.",
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
  gitTimeoutMs: { value: 120_000, why: "Longest run of one git command (guessed)." },
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
  backendTimeoutMs: { value: 30_000, why: "Longest run of rg (guessed)." },
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
    why: "Longest wait of a search by meaning for an index that is being built (guessed).",
  },
  impactWaitMs: {
    value: 20_000,
    why:
      "The same for an analysis of impact, which has no other source: refused, it costs the agent another call. Clients give a call up after 60 s (guessed).",
  },
  briefIndexWaitMs: {
    value: 30_000,
    why:
      "The same for a command line, which leaves no process behind that could go on: enough for a hundred files (guessed).",
  },
  briefAnswerMs: {
    value: 8_000,
    why:
      "Time that all questions of one command share where half an answer is one: with the start and the last look at 200,000 files some 10 s (measured). What was read by then is kept.",
  },
  syncWaitMs: {
    value: 30_000,
    why:
      "The tool `sync_index` answers within it with how far it is, and the work goes on: clients give a call up after 60 s (default of their library).",
  },
  freshnessMs: {
    value: 300,
    why:
      "Longest time that an answer waits for changed files to be read: a person hardly notices it.",
  },
  askedFilesMs: {
    value: 5_000,
    why:
      "Then its longest wait for those that it is about: a file of 10,000 lines takes a second (measured), and a late answer is better than one without it.",
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
  scipPlaces: {
    value: 2_000_000,
    why: "Most places of a SCIP index: each takes some 100 bytes of memory (guessed).",
  },
  scipWaitMs: {
    value: 3_000,
    why:
      "Longest wait of an answer for a SCIP index that is being read; the next ones have it (guessed).",
  },
  idleContentDays: {
    value: 30,
    why: "Contents that no worktree has are kept in the index this long (guessed).",
  },
  configBytes: {
    value: 256 * 1024,
    why: "Largest `config.json` that is read: a thousand times an ordinary one (guessed).",
  },
  contextBytes: {
    value: 256 * 1024,
    why:
      "Largest `context.yml` that is read; parsing this much takes at most some seconds (measured).",
  },
  contractBytes: {
    value: 256 * 1024,
    why: "Largest `phase_contract.yml` that is read (guessed: as `context.yml`).",
  },
  documentBytes: {
    value: 1024 * 1024,
    why: "Largest file of rules or document of which a hash is taken (guessed: as source files).",
  },
  manifestFileBytes: {
    value: 256 * 1024,
    why:
      "Largest build file (`package.json`, `go.mod`) or list of patterns that is read (guessed).",
  },
  setupFileBytes: {
    value: 32 * 1024 * 1024,
    why: "A larger file of a client is not edited by `init`; theirs grow with use (guessed).",
  },
  memoryFileBytes: {
    value: 4 * 1024 * 1024,
    why: "Largest file of marks, trust or results of runs that is read (guessed).",
  },
  recordsBytes: {
    value: 64 * 1024 * 1024,
    why: "Largest file of a session's records that is read: some 50,000 calls (guessed).",
  },
  learningLogReadBytes: {
    value: 2 * 1024 * 1024,
    why:
      "Largest learning log that is read: the size at which a new one is begun, and one line more (guessed).",
  },
  gitFileBytes: {
    value: 256 * 1024 * 1024,
    why: "Largest file of the git folder that is read: an index of two million files (guessed).",
  },
  gitObjectBytes: {
    value: 1024 * 1024,
    why: "Larger objects of git are read by git: commits and folders are smaller (guessed).",
  },
  gitConfigBytes: {
    value: 4 * 1024 * 1024,
    why:
      "Largest settings file of a repository with which git is still started: a hundred thousand lines (guessed).",
  },
  evidenceMarginLines: {
    value: 20,
    why:
      "Lines that evidence may have beside a change, or beside the function that it is in: more shows nothing, and less would refuse the paragraph around it (guessed).",
  },
  checkedFileBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Larger files are passed over where claims about them are checked: numbers of lines, files that steer git (guessed).",
  },
  keptFileBytes: {
    value: 512 * 1024 * 1024,
    why: "Largest kept content that is compared or brought back in memory (guessed).",
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
  checkoutMs: {
    value: 120_000,
    why: "Longest time to write a clean checkout, filters such as Git LFS included (guessed).",
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
  nearTestsMs: {
    value: 10_000,
    why:
      "Longest search for the tests near to changed files before wrong versions of them are tried (guessed).",
  },
  mutantSeconds: {
    value: 60,
    why:
      "Longest trial of small wrong versions of the changed lines, their first run without one included; what is left by then is not tried (guessed).",
  },
  coverageFileBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Largest coverage file that is read; LCOV of a million lines has about 12 MiB, and is read in half a second (guessed).",
  },
  nodeCoverageBytes: {
    value: 512 * 1024 * 1024,
    why:
      "Most bytes that are read of the coverage which Node's processes write: about 1,500 processes with 300 KiB each (measured), read in some seconds.",
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
  recalledAgreements: { value: 3, why: "Agreements in a start reply, about 600 bytes (guessed)." },
  recalledFailures: { value: 2, why: "Past failures in a start reply, about 800 bytes (guessed)." },
  recallCheckMs: {
    value: 1_000,
    why: "Longest look whether symbols of agreements still exist (guessed).",
  },
  archiveDays: {
    value: 30,
    why: "Archived checkpoints are kept this long: a month to look back at finished work.",
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
  historyPathChars: {
    value: 16_000,
    why: "The same for the paths of a commit together: 100 paths of 160 characters (guessed).",
  },
  historyMessageChars: {
    value: 1_000,
    why:
      "What is kept of a commit's message: what was asked for stands in its first lines (guessed).",
  },
  pastWorks: { value: 3, why: "Past commits like the request in a reply (guessed)." },
  pastWorkBytes: {
    value: 600,
    why: "Most bytes of a reply about past commits like the request (guessed).",
  },
  pastAskMs: {
    value: 20_000,
    why: "Longest wait of a question about the past itself for its reading (guessed).",
  },
  pastGitMs: {
    value: 5_000,
    why: "Longest time that git may take to say where lines come from (guessed).",
  },
  pastWaitMs: {
    value: 300,
    why:
      "Longest wait of the start of a session for the past, which is loaded beside its first work, after that work (guessed).",
  },
  shareLookMs: {
    value: 20_000,
    why: "Longest wait for a remote to say what it shares (guessed).",
  },
  shareFetchMs: {
    value: 300_000,
    why: "Longest time that git may take to bring what is shared, or to hand it over (guessed).",
  },
  sharePullWaitMs: {
    value: 30_000,
    why:
      "So long a server that starts waits for what is shared, before it analyses itself (guessed).",
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
  sharePackRawBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Largest pack once it is made whole, so that a small pack cannot fill the memory (guessed).",
  },
  shareKeysBytes: {
    value: 64 * 1024 * 1024,
    why: "Most bytes of the lists of what the packs hold: 17 for a record.",
  },
  shareProofs: {
    value: 3,
    why: "Records of a pack that are analysed all the same on an average, and compared.",
  },
  shareProofEvery: {
    value: 50,
    why: "Of a large pack one record in so many is analysed all the same and compared.",
  },
  shareUnusedDays: {
    value: 30,
    why: "A push leaves packs out that no push has used for so long.",
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
  workspaceLookMs: {
    value: 3_000,
    why:
      "A command line looks for changes in other repositories for so long before it answers, and names those that it did not come to (guessed: 50,000 files take half a second).",
  },
  workspaceReplyBytes: {
    value: 3_000,
    why: "Room of a reply for the places in other repositories; totals are always told.",
  },
  hubSearchBytes: {
    value: 64 * 1024 * 1024,
    why:
      "Texts of the store that one call of a hub searches: some 8,000 files of 8 KB (2,400 take 0.1 to 0.25 s of a processor, measured).",
  },
  hubSearchMs: {
    value: 10_000,
    why: "Longest time in which a call of a hub reads texts to search them (guessed).",
  },
  hubPatternMs: {
    value: 3_000,
    why:
      "Longest time of an expression over 4 MiB of texts, of which ordinary ones take 0.1 s; beyond it is taken for endless.",
  },
  historyFileBytes: {
    value: 64 * 1024 * 1024,
    why:
      "A larger file of the past is made anew: 20,000 commits of 3 KB; real ones take 300 bytes.",
  },
} as const satisfies Record<string, Limit>;
