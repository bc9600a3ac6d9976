/**
 * Loaded by `NODE_OPTIONS` into each process of Node that a watched run starts: asks V8 between the tests which functions
 * were called, and writes that into the channel. It prints nothing; where something fails it falls silent.
 *
 * Functions are written as V8 tells them: the offset of the start in the script's text. A script whose text is not
 * that of its file is kept once for all processes, so that the reader can follow its source map.
 */
"use strict";
const process = require("node:process");

/** Share of the run's own time that may be spent on asking V8; then tests share an interval (measured: 3 ms a time). */
const MOST_SHARE = 0.3;
/** Longest text that waits for a file that cannot be written. */
const MOST_WAITING = 8_388_608;
const FLUSH_MS = 500;
/** What is wrapped around the text of a module, before and behind it, in characters (measured: Vitest has 300). */
const [MOST_WRAP, MOST_WRAP_END] = [1_000, 16];
/** How often a stack is looked at for who calls whom, in microseconds (measured: a tenth of the time). */
const SAMPLED = 1_000;
/** Growth of the heap after which V8 is made to forget what it counted of earlier files. */
const MOST_HEAP = 536_870_912;
const { CODE_INTEL_RUNS: FOLDER, CODE_INTEL_RUNS_ROOT: ROOT, CODE_INTEL_RUNS_TEST: TEST } =
  process.env;

/** Taken before a test can replace them. */
const { openSync, writeSync, writeFileSync, readFileSync, statSync } = require("node:fs");
const { createHash, randomBytes } = require("node:crypto");
const { fileURLToPath } = require("node:url");
const { resolve, sep } = require("node:path");
const now = performance.now.bind(performance);
const later = setImmediate;

/** The path of a file relative to the root, with `/`; empty outside. */
function toPath(file) {
  const text = String(file).startsWith("file:") ? fileURLToPath(file) : String(file);
  const isInside = text.startsWith(ROOT + sep);
  return isInside ? text.slice(ROOT.length + 1).replace(/[?#].*$/s, "").split(sep).join("/") : "";
}

/** Runs what must not disturb the tests. */
function quietly(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** The file of this process in the channel. */
class Sink {
  runner = "";
  #file = null;
  #waiting = "";

  write(rows) {
    let text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    if (this.#file === null) {
      const start = { process: { tracer: "node 1", runner: this.runner, root: ROOT } };
      text = this.#waiting === "" ? `${JSON.stringify(start)}\n${text}` : text;
    }
    this.#waiting += text;
    if (this.#waiting.length > MOST_WAITING) return;
    quietly(() => {
      const name = `${process.pid}-${randomBytes(6).toString("hex")}.ndjson`;
      this.#file ??= openSync(`${FOLDER}/${name}`, "ax");
      const bytes = Buffer.from(this.#waiting);
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
      this.#waiting = "";
    });
  }
}

/** Asks V8 what was called since it was asked last. */
class Counter {
  #post = null;
  #scripts = new Map();
  #functions = 0;
  #kept = 0;
  /** Milliseconds spent so far. */
  spent = 0;

  /** False where V8 already counts for somebody else, whose figures would become wrong. */
  start(isSampled) {
    // Beside the channel: set so that all runs of a session have it, and read by nobody.
    const others = process.env.NODE_V8_COVERAGE;
    if (others && resolve(others) !== resolve(FOLDER, "../../node")) return false;
    const { Session } = require("node:inspector");
    const session = new Session();
    session.connect();
    const post = session.post;
    this.#post = (method, params, done) => post.call(session, method, params, done);
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    this.#post("Profiler.setSamplingInterval", { interval: SAMPLED });
    if (isSampled) this.#post("Profiler.start");
    Session.prototype.post = function (method, ...rest) {
      if (/^Profiler\.(?:start|stop|take)PreciseCoverage/.test(method)) watch.stop();
      return post.call(this, method, ...rest);
    };
    return true;
  }

  /** Lets V8 forget the scripts of earlier test files, which it keeps while it counts; that takes long. */
  forget() {
    if (process.memoryUsage().heapUsed < MOST_HEAP + this.#kept) return;
    this.#post("Profiler.stopPreciseCoverage");
    this.#post("HeapProfiler.collectGarbage");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    this.#kept = process.memoryUsage().heapUsed;
  }

  /** Ids of the project's functions that ran, with the rows of those that are new. */
  take() {
    const began = now();
    let found = [];
    this.#post("Profiler.takePreciseCoverage", {}, (_, reply) => found = reply?.result ?? []);
    const wanted = found.filter(({ url }) => this.#scripts.get(url) !== null && isOwn(url));
    for (const { url } of found) if (!isOwn(url)) this.#scripts.set(url, null);
    this.#learn(wanted.filter(({ url }) => !this.#scripts.has(url)));
    const [ran, rows] = [new Set(), []];
    for (const { url, functions } of wanted) {
      const script = this.#scripts.get(url);
      for (const { functionName: name, ranges: [{ startOffset, endOffset, count }] } of functions) {
        // The script itself is one too, and the function that a runner wraps around it.
        const isWide = startOffset < MOST_WRAP && endOffset > script.length - MOST_WRAP_END;
        if (count === 0 || isWide && UNNAMED.includes(name)) continue;
        ran.add(this.#number(script.ids, [script.path, startOffset, name], rows));
      }
    }
    this.spent += now() - began;
    return { ran: [...ran], rows };
  }

  /** The number of a function by its place, with a row where it is new. */
  #number(ids, [path, place, name], rows) {
    if (!ids.has(place)) {
      ids.set(place, this.#functions);
      rows.push({ fn: [this.#functions++, path, place, name.slice(0, 1000)] });
    }
    return ids.get(place);
  }

  /** Rows of the calls between files that samples of the stack show, through whatever lies between; once a process. */
  takeCalls() {
    let nodes = [];
    this.#post("Profiler.stop", {}, (_, reply) => nodes = reply?.profile.nodes ?? []);
    const [rows, calls, callers] = [[], new Map(), new Map()];
    // A node comes before those that it calls. A frame is told by line and column.
    for (const { id, callFrame, children = [] } of nodes) {
      const { url, functionName: name, lineNumber: line, columnNumber: column } = callFrame;
      const script = this.#scripts.get(url);
      const caller = callers.get(id);
      let callee = script ? undefined : caller;
      if (script && (name !== "" || line !== 0)) {
        const place = [`${script.path}@`, line * LINE_PLACES + column, name];
        callee = { path: script.path, id: this.#number(script.frames, place, rows) };
        if (caller && caller.path !== callee.path) {
          calls.set(`${caller.id},${callee.id}`, [caller.id, callee.id, 0]);
        }
      }
      for (const child of children) callers.set(child, callee);
    }
    return calls.size === 0 ? rows : [...rows, { calls: [...calls.values()] }];
  }

  /** Finds out which text each new script has: that of its file, or one that is kept. */
  #learn(fresh) {
    const unknown = [];
    for (const { url, scriptId, functions: [{ ranges: [top] }] } of fresh) {
      if (this.#scripts.has(url)) continue;
      const [path, length, isTop] = [toPath(url), top.endOffset, top.startOffset === 0];
      const script = { path, ids: new Map(), frames: new Map(), length: isTop ? length : Infinity };
      this.#scripts.set(url, script);
      if (isTop && length === quietly(() => statSync(`${ROOT}/${path}`).size)) continue;
      const text = texts.get(path);
      const seed = isTop ? `${path} ${length}` : randomBytes(9);
      const key = createHash("sha1").update(seed).digest("hex");
      const kept = `${FOLDER}/${key}.txt`;
      const keep = (source) => {
        if (source === quietly(() => readFileSync(`${ROOT}/${path}`, "utf8"))) return;
        script.path = `${path}?${key}`;
        quietly(() => writeFileSync(kept, source, { flag: "wx" }));
      };
      if (isTop && text?.length === length) keep(text);
      else if (isTop && quietly(() => statSync(kept))) script.path = `${path}?${key}`;
      else unknown.push({ scriptId, keep });
    }
    texts.clear();
    if (unknown.length === 0) return;
    // It tells all scripts of the process, with a hash of each: some hundred milliseconds.
    this.#post("Debugger.enable");
    for (const { scriptId, keep } of unknown) {
      const take = (_, reply) => reply && keep(reply.scriptSource);
      this.#post("Debugger.getScriptSource", { scriptId }, take);
    }
    this.#post("Debugger.disable");
  }
}

/** Texts that runners and loaders made of the project's files, by path, until their scripts are seen. */
const texts = new Map();

/** Notes the texts where they are compiled; V8 tells them at a high price only. */
function watchTexts() {
  const note = (text, options) =>
    quietly(() => {
      const file = options?.filename ?? options;
      if (isOwn(file)) texts.set(toPath(file), text);
    });
  const vm = require("node:vm");
  const own = vm.runInThisContext;
  vm.runInThisContext = function runInThisContext(text, options) {
    note(text, options);
    return own(text, options);
  };
  vm.Script = class Script extends vm.Script {
    constructor(text, options) {
      note(text, options);
      super(text, options);
    }
  };
}

/** A line and a column in one number. */
const LINE_PLACES = 2 ** 20;
const UNNAMED = ["", "Object.<anonymous>"];

function isOwn(url) {
  return (url.startsWith("file:") || url.startsWith(ROOT)) && !url.includes("/node_modules/") &&
    toPath(url) !== "";
}

/**
 * Which code belongs to which test. Time is cut into intervals, and what ran in one belongs to its owner: tests, the
 * set-up of a suite (then each test of the suite has it), or nobody (code that is loaded).
 */
class Watch {
  #counter = new Counter();
  #sink = new Sink();
  #isOn = null;
  #isEnded = true;
  /** Tests of the interval, or `{ suite }`, or null. */
  #owner = null;
  /** Tests of the interval that have not ended, as far as was looked. */
  #running = [];
  /** Tests that had not ended when another one began, those that hold others too. */
  #open = [];
  #setUps = new WeakMap();

  /** Begins to count; `runner` is the name of its row. */
  start(runner) {
    if (this.#sink.runner === "") this.#sink.runner = runner;
    if (this.#isOn !== null) return;
    this.#isOn = false;
    quietly(() => {
      // Where modules are loaded again for each file, samples cost up to three times the run.
      const isSampled = !["jest", "vitest"].includes(runner);
      if (!this.#counter.start(isSampled)) return this.stop();
      this.#isOn = true;
      process.on("exit", () => {
        // Whoever ends the process in a test ends those behind it.
        const isKnown = ["mocha", "node:test"].includes(this.#sink.runner);
        if (isKnown && this.#open.some(({ read }) => !read())) this.lack("stopped");
        this.leave();
      });
      this.#reopen();
    });
  }

  /** Ends for good: V8 counts for somebody else, whose figures must not change. */
  stop() {
    this.#isOn = false;
    this.#sink.write([{ end: "coverage" }]);
  }

  /** Tells what is missing: the tests behind a stop, those that were not chosen, or those behind the first failure. */
  lack(what) {
    if (inherited === null) this.#sink.write([{ end: what }]);
  }

  /** Until the next end the process may be killed, and its record is not whole then. */
  #reopen() {
    if (this.#isEnded) quietly(() => this.#sink.write([{ end: false }]));
    this.#isEnded = false;
  }

  /**
   * A test begins: `{ name, file, unit, suites, key, read }`, where `read()` gives outcome and milliseconds, or null while
   * it runs. It shares the interval of those that still run, and of others of its file where time is short.
   */
  begin({ unit = "test", suites = [], read = () => ["unknown", 0], ...named }) {
    if (!this.#isOn || inherited !== null) return;
    this.#reopen();
    const test = { unit, suites, read, ...named };
    const { name, file } = test;
    process.env.CODE_INTEL_RUNS_TEST = JSON.stringify({ name, file, unit });
    const owner = Array.isArray(this.#owner) ? this.#owner : [];
    this.#running = this.#running.filter(({ read }) => !read());
    if (test.key && this.#running.some(({ key }) => key === test.key)) return;
    this.#open = [...this.#open.filter(({ read }) => !read()), test];
    const last = owner.at(-1);
    const isShort = this.#counter.spent > MOST_SHARE * (now() - this.#counter.spent);
    const isShared = this.#running.length > 0 && !suites.includes(last?.key);
    if (last !== undefined && (isShared || isShort && last.file === file)) owner.push(test);
    else this.#cut([test]);
    this.#running.push(test);
  }

  /** The set-up of a suite begins. */
  enter(suite) {
    if (this.#isOn && inherited === null) this.#cut({ suite });
  }

  /** A test that was not run, perhaps after it began. */
  skip({ name, file, key }) {
    if (Array.isArray(this.#owner) && key && this.#owner.at(-1)?.key === key) this.#owner.pop();
    const row = { name, file, unit: "test", outcome: "skipped", ms: 0, ran: [] };
    if (this.#isOn && inherited === null) this.#sink.write([{ test: row }]);
  }

  /** What follows is of no test, and the process may end. */
  leave() {
    if (!this.#isOn) return;
    delete process.env.CODE_INTEL_RUNS_TEST;
    this.#cut(null);
    this.#counter.forget();
    this.#isEnded = true;
    this.#sink.write([...quietly(() => this.#counter.takeCalls()) ?? [], { end: true }]);
  }

  /** Writes what ran up to now, and stays with the owner. */
  flush() {
    if (this.#isOn) this.#cut(this.#owner);
  }

  #cut(next) {
    const owner = inherited === null ? this.#owner : [inherited];
    this.#owner = next;
    this.#running = [];
    quietly(() => {
      const { ran, rows } = this.#counter.take();
      if (owner === null) {
        if (ran.length > 0) rows.push({ loaded: ran });
      } else if (!Array.isArray(owner)) {
        this.#setUps.set(owner.suite, [...this.#setUps.get(owner.suite) ?? [], ...ran]);
      } else for (const test of owner) rows.push({ test: this.#toRow(test, ran, owner.length) });
      if (rows.length > 0) this.#sink.write(rows);
    });
  }

  /** Of several tests in one interval each has all of it, and says that it is no record of a test alone. */
  #toRow({ name, file, unit, suites, read }, ran, count) {
    const [outcome, ms] = read() || ["unknown", 0];
    const inSuites = suites.flatMap((suite) => this.#setUps.get(suite) ?? []);
    const all = inSuites.length === 0 ? ran : [...new Set([...ran, ...inSuites])];
    const part = count > 1 && unit === "test" ? "group" : unit;
    return { name, file, unit: part, outcome, ms, ran: all };
  }
}

const watch = new Watch();
/** The test of the process that started this one: all that runs here belongs to it. */
let inherited = null;

/** A task of a runner and all that it is in, the outermost first. */
function chain(task, parentOf) {
  const found = [];
  for (let one = task; one; one = parentOf(one)) found.unshift(one);
  return found;
}

const OUTCOMES = { passed: "passed", pending: "skipped" };
const toNames = (tasks) => tasks.map(({ name }) => name).filter(Boolean);

/** Mocha: its runner tells each test. */
function watchMocha({ prototype }) {
  const { run } = prototype;
  prototype.run = function (...args) {
    quietly(() => {
      const retried = new WeakSet();
      const toTest = (test) => ({
        name: test.titlePath().join(" > "),
        file: toPath(test.file),
        suites: chain(test.parent, ({ parent }) => parent),
        read: () =>
          (test.state || retried.has(test)) &&
          [OUTCOMES[test.state] ?? "failed", test.duration ?? 0],
      });
      const on = (event, tell) => this.on(event, (task) => quietly(() => tell(task)));
      const all = this.suite.total();
      let ended = 0;
      watch.enter(this.suite);
      on("test end", () => ended++);
      on("test", (test) => watch.begin(toTest(test)));
      on("retry", (test) => retried.add(test));
      on("pending", (test) => watch.skip(toTest(test)));
      on("hook", (hook) => hook.type === "before all" && watch.enter(hook.parent));
      on("end", () => {
        if (ended < all) watch.lack(this.failures > 0 ? "stopped" : "selected");
        watch.leave();
      });
    });
    return run.apply(this, args);
  };
}

/** Jest: the function of jest-circus that runs one test file. */
function watchJest(adapter) {
  return function (globalConfig, config, environment, runtime, path, ...rest) {
    quietly(() => {
      const file = toPath(path);
      watch.start("jest");
      if (globalConfig.bail > 0) watch.lack("bail");
      const own = environment.handleTestEvent;
      environment.handleTestEvent = function (event, state) {
        quietly(() => followCircus(file, event));
        return own?.call(this, event, state);
      };
    });
    const leave = () => quietly(() => watch.leave());
    const result = adapter.call(this, globalConfig, config, environment, runtime, path, ...rest);
    Promise.resolve(result).then(leave, leave);
    return result;
  };
}

function followCircus(file, { name, hook, test }) {
  if (name === "hook_start" && hook.type === "beforeAll") watch.enter(hook.parent);
  if (name !== "test_start" && name !== "test_skip" && name !== "test_todo") return;
  if (name === "test_skip" && !test.mode) watch.lack("selected");
  const groups = chain(test.parent, ({ parent }) => parent);
  const isDone = () => test.duration !== null && test.duration !== undefined;
  const one = {
    name: `${file} ${toNames([...groups.slice(1), test]).join(" › ")}`,
    file,
    key: test,
    suites: groups,
    read: () => isDone() && [test.errors.length > 0 ? "failed" : "passed", test.duration],
  };
  if (name === "test_start") watch.begin(one);
  else watch.skip(one);
}

/** Vitest: the state of its worker names the task that runs. Its packages are modules that nothing else can reach. */
function watchVitest() {
  const define = Object.defineProperty;
  Object.defineProperty = function defineProperty(target, key, how) {
    if (key === "__vitest_worker__") quietly(() => followVitest(how.value, define));
    return define(target, key, how);
  };
}

const ONLY = /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.only\b/;

function followVitest(state, define) {
  watch.start("vitest");
  const entered = new WeakSet();
  const { bail, testNamePattern } = state.config ?? {};
  if (bail > 0) watch.lack("bail");
  if (testNamePattern) watch.lack("selected");
  let { current } = state;
  const tell = (task) => {
    // A worker is ended from outside once it has told its last result.
    if (!task) return later(() => current || quietly(() => watch.leave()));
    const groups = chain(task, (one) => one.suite ?? (one.file === one ? null : one.file));
    const file = toPath(task.file.filepath);
    const read = () => {
      const { state, duration } = task.result ?? {};
      return (state === "pass" || state === "fail") && [`${state}ed`, duration ?? 0];
    };
    const names = toNames(groups.filter(({ filepath }) => !filepath));
    const one = { name: [file, ...names].join(" > "), file, suites: groups, read };
    if (task.type !== "suite") watch.begin(one);
    else if (task.filepath && task.collectDuration === undefined) return;
    // What it leaves out is marked as if it were skipped.
    else if (task.filepath && ONLY.test(readFileSync(task.filepath, "utf8"))) {
      watch.lack("selected");
    } else if (!entered.has(task)) watch.enter(task);
    entered.add(task);
  };
  define(state, "current", {
    configurable: true,
    enumerable: true,
    get: () => current,
    set: (task) => {
      const isNew = task !== current;
      current = task;
      if (isNew) quietly(() => tell(task));
    },
  });
}

/** `node:test`: its tests are resources, and look up this method to call their function. A frame of ours would show. */
function watchNodeTest() {
  const { AsyncResource } = require("node:async_hooks");
  watchLookup(AsyncResource.prototype, "runInAsyncScope", (own, task) => {
    const kind = task?.constructor?.name;
    if ((kind === "Test" || kind === "TestHook") && "nesting" in task) followNodeTest(task, kind);
    return own;
  });
}

/** Learns of each look-up of a method, just before it is called; `choose` gives the function. */
function watchLookup(object, name, choose) {
  const own = object[name];
  Object.defineProperty(object, name, {
    configurable: true,
    get() {
      return quietly(() => choose(own, this)) ?? own;
    },
    set(value) {
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
    },
  });
}

function followNodeTest(test, kind) {
  if (kind === "TestHook") return test.hookType === "before" && watch.enter(test.parentTest);
  const groups = chain(test, ({ parent }) => parent).slice(1);
  if (groups.length === 0) return;
  watch.start("node:test");
  watch.begin({
    name: toNames(groups).join(" > "),
    file: toPath(test.loc?.file ?? process.argv[1]),
    key: test,
    suites: chain(test.parent, ({ parent }) => parent),
    read: () =>
      test.endTime !== null && [test.passed ? "passed" : "failed", test.duration?.() ?? 0],
  });
}

const JEST_ADAPTER =
  /[\\/]jest-circus[\\/](?:build[\\/])?(?:[\w-]+[\\/])?(?:runner|jestAdapter)\.js$/;

/** Looks at the modules of runners when they are loaded. */
function watchModules() {
  const wrapped = new WeakSet();
  watchLookup(require("node:module").prototype, "load", (own, { id }) => {
    if (/[\\/]mocha[\\/]lib[\\/]mocha\.js$/.test(id)) watch.start("mocha");
    const isMocha = /[\\/]mocha[\\/]lib[\\/]runner\.js$/.test(id);
    if (!isMocha && !JEST_ADAPTER.test(id)) return own;
    return function load(file) {
      own.call(this, file);
      const { exports } = this;
      if (isMocha) return quietly(() => watchMocha(exports));
      const adapter = exports?.default ?? exports;
      if (typeof adapter !== "function" || wrapped.has(adapter)) return;
      const watched = watchJest(adapter);
      wrapped.add(watched);
      this.exports = exports.default ? { ...exports, __esModule: true, default: watched } : watched;
    };
  });
}

/** Options by which Node runs some of the tests. */
const CHOOSES = /^--test-(?:only|name-pattern|skip-pattern|shard)\b/;

/** Counting begins at once where the process is the project's own; in tools only when they show that they run tests. */
function main() {
  const script = process.argv[1] ?? "";
  const { isMainThread, workerData } = require("node:worker_threads");
  const isTool = /[\\/]node_modules[\\/]/.test(script) || toPath(script) === "";
  if (TEST) inherited = { ...JSON.parse(TEST), suites: [], read: () => null };
  watchTexts();
  watchModules();
  watchNodeTest();
  // Its threads have no name.
  if (!isMainThread || /[\\/](?:vitest|tinypool)(?:[\\/@.]|$)/.test(script)) watchVitest();
  const isParent = process.execArgv.includes("--test");
  const isChosen = process.execArgv.some((word) => CHOOSES.test(word));
  if (isChosen) watch.lack("selected");
  if (inherited !== null) {
    watch.start("");
    // What a test starts is often ended by a signal, which tells nobody.
    setInterval(() => watch.flush(), FLUSH_MS).unref();
  } else if (process.env.NODE_TEST_CONTEXT) watch.start("node:test");
  else if (!isTool && !isParent) watch.start("");
  const avaFile = workerData?.options?.file;
  const file = toPath(avaFile ?? (process.env.TAP_CHILD_ID ? script : ""));
  if (inherited !== null || file === "") return;
  watch.start(avaFile ? "ava" : "tap");
  watch.begin({ name: file, file, unit: "file" });
}

if (FOLDER && ROOT) quietly(main);
