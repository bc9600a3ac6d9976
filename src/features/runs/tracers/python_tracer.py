"""Loaded into every Python process of a watched run, as its `sitecustomize`. Notes which test runs
which function of the project, and who calls it from another file. Writes to the channel alone, and
goes silent where it fails.

From Python 3.12 the interpreter tells the start of each function. Before, each function gets a
check at its head when its module is loaded (`if probe.on: probe.hit()`); nothing of that is written
to disk. Old Pythons have to be able to parse this file.
"""

import os
import sys

FOLDER = os.environ.get("CODE_INTEL_RUNS", "")
ROOT = os.environ.get("CODE_INTEL_RUNS_ROOT", "")
# Tells a child process to which test it belongs.
TEST_VARIABLE = "CODE_INTEL_RUNS_TEST"
# Taken before a test can replace them.
OPEN, WRITE, CLOSE, GETPID, URANDOM = os.open, os.write, os.close, os.getpid, os.urandom
# Folders of other people's code inside of the project.
FOREIGN = ("site-packages", "dist-packages", ".tox", ".nox", ".venv", "venv", "node_modules")
SETS_UP = ("_handleClassSetUp", "_handleModuleFixture")
TEARS_DOWN = ("_tearDownPreviousClass", "_handleModuleTearDown")


def chain(own):
    """Loads the `sitecustomize` of others, and fails as Python expects where there is none."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != folder]
    own.append(sys.modules.pop("sitecustomize", None))
    __import__("sitecustomize")


class Probe(object):
    """A function of the project, with path, line and name; `on` until it ran in the current test."""

    __slots__ = ("on", "where", "note")

    def __init__(self, tracer, *where):
        self.on, self.where, self.note = True, where, tracer.note

    def hit(self):
        self.note(self, sys._getframe(1))

    def __reduce__(self):
        # A function that is pickled with its code has to work where no tracer is.
        return eval, ("type('Probe', (), {'on': False})()",)


class Tracer(object):
    """What this process has seen and not written yet."""

    def __init__(self, quote, clock):
        self.quote, self.clock = quote, clock
        self.root = os.path.realpath(ROOT)
        self.paths = {}
        # What has run since the last test began or ended.
        self.off = []
        self.depth = 0
        self.test = self.last = None
        # Nothing can be written any more, or something is missing in what was.
        self.isDead = self.isTorn = False
        self.isIntact = lambda: True
        self.rearm = lambda: None
        self.begin(os.environ.get(TEST_VARIABLE))

    def begin(self, outer):
        """Starts the file of this process. A child of a test writes at once: it may be killed."""
        self.file = os.path.join(FOLDER, "%d-%s.ndjson" % (GETPID(), URANDOM(6).hex()))
        self.outer = outer
        self.isDirect = bool(outer)
        self.runner = ""
        # Functions, and lines that call one, with their numbers.
        self.ids = {}
        self.ran, self.calls, self.called = [], [], set()
        self.isBegun = False

    def fork(self):
        name = self.test and self.test[0]
        self.begin(self.outer or name)
        self.isDirect = True

    def write(self, rows):
        if self.isDead:
            return
        if not self.isBegun:
            self.isBegun = True
            direct = ',"direct":true' if self.isDirect else ""
            about = (self.quote(self.runner), self.quote(self.root), direct)
            rows.insert(0, '{"process":{"tracer":"python 1","runner":%s,"root":%s%s}}' % about)
        try:
            # Not kept open: a test may close every file and open its own with the same number.
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            file = OPEN(self.file, flags, 0o600)
            try:
                data = ("\n".join(rows) + "\n").encode("ascii")
                while data:
                    data = data[WRITE(file, data) :]
            finally:
                CLOSE(file)
        except Exception:
            self.isDead = True

    def place(self, filename):
        """The path of a file of the project from its root; None of all others."""
        if filename not in self.paths:
            path = None
            if filename.endswith(".py") and not filename.startswith("<"):
                real = os.path.realpath(filename)
                if real.startswith(self.root + os.sep) and real != os.path.realpath(__file__):
                    path = real[len(self.root) + 1 :].replace(os.sep, "/")
            isForeign = path is not None and set(path.split("/")).intersection(FOREIGN)
            self.paths[filename] = None if isForeign else path
        return self.paths[filename]

    def identify(self, where, rows):
        if where not in self.ids:
            self.ids[where] = len(self.ids)
            path, line, name = where
            fields = (self.ids[where], self.quote(path), line, self.quote(name))
            rows.append('{"fn":[%d,%s,%d,%s]}' % fields)
        return self.ids[where]

    def note(self, probe, frame):
        """The first start of a function in this test; no failure of it may reach the project."""
        try:
            probe.on = False
            self.off.append(probe)
            self.ran.append(probe.where)
            caller = self.find_caller(frame.f_back)
            if caller is not None and caller[0] != probe.where[0]:
                call = (caller, probe.where)
                if call not in self.called:
                    self.called.add(call)
                    self.calls.append(call)
            if self.isDirect:
                self.flush("unknown", 0)
        except Exception:
            self.isTorn = True

    def find_caller(self, frame):
        """The line of the nearest code of the project above; None where that is in no function."""
        while frame is not None:
            code = frame.f_code
            path = self.place(code.co_filename)
            if path is not None:
                # The reader knows which function the line lies in.
                return (path, frame.f_lineno, code.co_name) if code.co_flags & 1 else None
            frame = frame.f_back
        return None

    def flush(self, outcome, ms):
        """Writes what ran since the last time, for the current test or for none."""
        ran, calls = self.ran, self.calls
        self.ran, self.calls = [], []
        if not ran and outcome == "unknown":
            return
        rows = []
        ids = ",".join([str(self.identify(where, rows)) for where in ran])
        name, path = self.test or (self.outer, "")
        if name is None:
            rows.append('{"loaded":[%s]}' % ids)
        else:
            fields = (self.quote(name), self.quote(path), outcome, ms, ids)
            rows.append(
                '{"test":{"name":%s,"file":%s,"unit":"test","outcome":"%s","ms":%.3f,"ran":[%s]}}'
                % fields
            )
        texts = [
            "[%d,%d,%d]" % (self.identify(one, rows), self.identify(other, rows), one[1])
            for one, other in calls
        ]
        if texts:
            rows.append('{"calls":[%s]}' % ",".join(texts))
        self.write(rows)

    def part(self):
        """What ran before counts anew from now on."""
        off, self.off = self.off, []
        for probe in off:
            probe.on = True
        if off:
            self.rearm()

    def start(self, runner, describe):
        """A test begins, given its name and file; inside of another one it belongs to that."""
        self.depth += 1
        if self.depth > 1 or self.outer:
            return
        try:
            self.runner = self.runner or runner
            self.flush("unknown", 0)
            if not self.isBegun:
                self.write([])
            self.test = self.last = describe()
            os.environ[TEST_VARIABLE] = self.test[0] if self.test else ""
            self.part()
        except Exception:
            self.isTorn = True
        self.started = self.clock()

    def end(self, outcome, ms=None):
        self.depth -= 1
        if self.depth > 0 or self.outer:
            return
        try:
            self.flush(outcome, (self.clock() - self.started) * 1000 if ms is None else ms)
            self.test = None
            os.environ.pop(TEST_VARIABLE, None)
            self.part()
            self.isTorn = self.isTorn or not self.isIntact()
        except Exception:
            self.isTorn = True

    def leave(self, why, depth=0):
        """Tests were left out; a run inside of a test is none of the project's."""
        if self.depth <= depth and not self.outer:
            self.write(['{"end":"%s"}' % why])

    def finish(self):
        """The last row, unless nothing of the project ran here or something is missing."""
        self.flush("unknown", 0)
        if self.isBegun and not self.isTorn and self.isIntact():
            self.write(['{"end":true}'])


def watch_pytest(tracer, module):
    """Registers a plugin that tells which test runs; `module` are the names of `_pytest.config`."""
    hookimpl = module["hookimpl"]

    def describe(item):
        """The test as pytest prints it: from the folder in which it was started."""
        base, sign, rest = str(item.nodeid).partition("::")
        config = item.config
        top = str(getattr(config, "rootpath", None) or config.rootdir)
        here = str(config.invocation_params.dir)
        if top != here:
            base = os.path.relpath(os.path.join(top, base), here).replace(os.sep, "/")
        path = str(getattr(item, "path", None) or item.fspath)
        return base + sign + rest, tracer.place(path) or ""

    class Plugin(object):
        outcome = "unknown"
        ms = 0.0

        def __init__(self):
            self.wanted, self.done = set(), set()

        @hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_collection_modifyitems(self, items):
            count = len(items)
            yield
            if len(items) < count:
                tracer.leave("selected")

        def pytest_collection_finish(self, session):
            # Each worker of xdist has all items, and runs some of them.
            if not hasattr(session.config, "workerinput"):
                self.wanted.update([item.nodeid for item in session.items])

        @hookimpl(optionalhook=True)
        def pytest_xdist_node_collection_finished(self, ids):
            self.wanted.update(ids)

        def pytest_runtest_logfinish(self, nodeid):
            self.done.add(nodeid)

        def pytest_sessionfinish(self):
            if self.wanted - self.done:
                tracer.leave("stopped")

        @hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item):
            tracer.start("pytest", lambda: describe(item))
            self.outcome, self.ms = "unknown", 0.0
            yield
            tracer.end(self.outcome, self.ms)

        @hookimpl(tryfirst=True)
        def pytest_runtest_logreport(self, report):
            self.ms += report.duration * 1000
            if report.outcome == "failed" or self.outcome in ("unknown", "passed"):
                if report.outcome in ("passed", "failed", "skipped"):
                    self.outcome = report.outcome

    manager = module["PytestPluginManager"]
    consider = manager.consider_env

    def consider_env(self):
        consider(self)
        self.register(Plugin(), "code-intel-runs")

    manager.consider_env = consider_env


def watch_unittest(tracer, module):
    """Wraps the run of a test case; `module` is the namespace of `unittest.case`."""
    case = module["TestCase"]
    run = case.run
    tracer.cases = 0

    def describe(test):
        found = sys.modules.get(type(test).__module__)
        return test.id(), tracer.place(getattr(found, "__file__", None) or "") or ""

    def count(result):
        names = ("failures", "errors", "unexpectedSuccesses", "skipped")
        return [len(getattr(result, name, ())) for name in names]

    def watched_run(self, result=None):
        tracer.start("unittest", lambda: describe(self))
        tracer.cases += tracer.depth == 1
        before = count(result)
        try:
            return run(self, result)
        finally:
            after = count(result)
            outcome = "passed" if before == after else "skipped"
            outcome = outcome if before[:3] == after[:3] else "failed"
            tracer.end("unknown" if result is None else outcome)

    case.run = watched_run
    return describe


def watch_suite(tracer, describe, module):
    """What a class or module sets up belongs to its first test, what it tears down to the last."""
    suite = module["TestSuite"]
    run = suite.run
    tracer.isSuite = False

    def watched_run(self, *arguments, **named):
        if tracer.isSuite or tracer.depth:
            return run(self, *arguments, **named)
        tracer.isSuite, wanted = True, tracer.cases + self.countTestCases()
        try:
            return run(self, *arguments, **named)
        finally:
            tracer.isSuite = False
            if tracer.cases < wanted:
                tracer.leave("stopped")

    suite.run = watched_run

    def wrap(step, find):
        original = getattr(suite, step)

        def watched(self, *arguments):
            tracer.start("unittest", lambda: find(*arguments))
            try:
                return original(self, *arguments)
            finally:
                tracer.end("unknown", 0)

        setattr(suite, step, watched)

    for step in SETS_UP:
        wrap(step, lambda test, *_: describe(test))
    for step in TEARS_DOWN:
        wrap(step, lambda *_: tracer.last)


def watch_loader(tracer, module):
    """Names of tests may be chosen by patterns; `module` is the namespace of `unittest.loader`."""
    loader = module["TestLoader"]
    find = loader.getTestCaseNames

    def watched(self, *arguments):
        if getattr(self, "testNamePatterns", None):
            tracer.leave("selected")
        return find(self, *arguments)

    loader.getTestCaseNames = watched


def insert(tracer, tree, path, filename, keys):
    """Puts a check at the head of each function, on the line of its first statement."""
    import _ast as ast

    def visit(node, isTop=True):
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            found = getattr(node, field, None)
            for child in found if isinstance(found, list) else ():
                isFunction = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
                visit(child, isTop and not isFunction)
                if isFunction:
                    add_head(child)
                value = getattr(child, "value", None)
                if isTop and isinstance(value, ast.Lambda):
                    on, hit = make_check(value, "<lambda>", value.body)
                    check = join(ast.And(), [on, hit], value.body)
                    value.body = join(ast.Or(), [check, value.body], value.body)

    def place(node):
        where = dict(lineno=node.lineno, col_offset=node.col_offset)
        return dict(where, end_lineno=node.lineno, end_col_offset=node.col_offset)

    def join(operator, values, at):
        return ast.BoolOp(operator, values, **place(at))

    def make_check(function, name, at):
        """Whether the function is still to be noted, and the call that notes it, which gives None."""
        key = "\0code-intel %s %d" % (filename, len(keys))
        keys[key] = Probe(tracer, path, function.lineno, name)
        where = place(at)
        probe = ast.Constant(value=key, **where)
        on, hit = [ast.Attribute(probe, name, ast.Load(), **where) for name in ("on", "hit")]
        return on, ast.Call(hit, [], [], **where)

    def add_head(function):
        body = function.body
        value = getattr(body[0], "value", None) if isinstance(body[0], ast.Expr) else None
        isText = isinstance(value, ast.Constant) and type(value.value) is str
        line = body[1 if isText and len(body) > 1 else 0]
        on, hit = make_check(function, function.name, line)
        call = ast.If(on, [ast.Expr(hit, **place(line))], [], **place(line))
        body.insert(1 if isText else 0, call)

    visit(tree)


def swap(code, keys):
    """The code with the objects that its constants stand for."""

    def change(value):
        if type(value) is type(code):
            return swap(value, keys)
        return keys.get(value, value) if type(value) is str else value

    return code.replace(co_consts=tuple([change(value) for value in code.co_consts]))


def compile_checked(tracer, tree, path):
    """The code of a module with checks in memory; of one that is not the project's as it is."""
    keys = {}
    if tracer.place(path):
        insert(tracer, tree, tracer.place(path), path, keys)
    return swap(compile(tree, path, "exec", 0, True), keys)


def watch_rewrite(tracer, module):
    """pytest compiles files of tests itself; `module` are the names of its `assertion.rewrite`."""
    # What it keeps on disk is neither used, as it has no checks, nor replaced.
    module["_read_pyc"] = module["_write_pyc"] = lambda *arguments, **named: None
    module["compile"] = lambda tree, path, *rest, **named: compile_checked(tracer, tree, path)


def watch_loading(tracer, hooks, isChecked):
    """Runs hooks behind the code of their modules, and puts checks into those of the project."""
    from importlib.machinery import SourceFileLoader as loader

    original = loader.get_code

    def add_hook(name, code, path):
        text = 'exec("\\0code", globals()); "\\0hook".__call__(globals())'
        keys = {"\0code": code, "\0hook": hooks[name]}
        return swap(compile(text, path, "exec", 0, True), keys)

    def get_code(self, fullname):
        code = path = None
        try:
            path = self.get_filename(fullname)
            if isChecked and tracer.place(path):
                tree = compile(self.get_data(path), path, "exec", 0x400, True)
                code = compile_checked(tracer, tree, path)
        except Exception:
            pass
        if code is None:
            code = original(self, fullname)
        return add_hook(fullname, code, path) if fullname in hooks and code is not None else code

    loader.get_code = get_code
    if isChecked:
        tracer.isIntact = lambda: loader.get_code is get_code


def watch_starts(tracer):
    """Lets the interpreter tell the start of each function; False where it cannot."""
    monitoring = getattr(sys, "monitoring", None)
    free = [tool for tool in (4, 3, 5, 2) if monitoring and monitoring.get_tool(tool) is None]
    if not free:
        return False
    name = "code-intel-runs"
    known, disable, frame = {}, monitoring.DISABLE, sys._getframe

    def on_start(code, offset):
        path = tracer.place(code.co_filename)
        # Bodies of modules and classes are no functions; a lambda inside of one is part of it.
        isInner = code.co_name.startswith("<") and code.co_qualname.rpartition(".")[0].endswith(">")
        isOther = code.co_name.startswith("<") and code.co_name != "<lambda>"
        if path is None or isInner or isOther or not code.co_flags & 1:
            return disable
        first = code.co_firstlineno
        key = (path, first, code.co_name)
        probe = known.get(key)
        if probe is None:
            lines = [line for _, _, line in code.co_lines() if line is not None and line > first]
            known[key] = probe = Probe(tracer, path, min(lines or [first]), code.co_name)
        if probe.on:
            tracer.note(probe, frame(1))
        return disable

    monitoring.use_tool_id(free[0], name)
    monitoring.register_callback(free[0], monitoring.events.PY_START, on_start)
    monitoring.set_events(free[0], monitoring.events.PY_START)
    tracer.rearm = monitoring.restart_events
    tracer.isIntact = lambda: monitoring.get_tool(free[0]) == name
    return True


def guard(hook):
    """A hook that leaves its module as it is where the module is another one than expected."""

    def guarded(module):
        try:
            hook(module)
        except Exception:
            pass

    return guarded


def start():
    import atexit
    import time
    from _json import encode_basestring_ascii

    tracer = Tracer(encode_basestring_ascii, time.perf_counter)
    isChecked = not watch_starts(tracer)
    describe = []
    hooks = {
        "_pytest.config": lambda module: watch_pytest(tracer, module),
        "unittest.case": lambda module: describe.append(watch_unittest(tracer, module)),
        "unittest.suite": lambda module: watch_suite(tracer, describe[0], module),
        "unittest.loader": lambda module: watch_loader(tracer, module),
    }
    if isChecked:
        hooks["_pytest.assertion.rewrite"] = lambda module: watch_rewrite(tracer, module)
    watch_loading(tracer, dict((name, guard(hook)) for name, hook in hooks.items()), isChecked)
    atexit.register(tracer.finish)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=tracer.fork)


OWN = []
try:
    if sys.version_info >= (3, 8) and ROOT and os.path.isdir(FOLDER):
        start()
except Exception:
    pass
chain(OWN)
