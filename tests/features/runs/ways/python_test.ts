/** Python, on real projects: unittest and pytest tell what their tests ran. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { PYTHON_WAY } from "../../../../src/features/runs/ways/python.ts";
import { testNeeding } from "../../../support/needs.ts";
import { needProgram } from "./apart_run.ts";
import { showCalls, showNames, watch } from "./inside_run.ts";

const PYTHON = needProgram("python3", "--version");
const UNITTEST = ["python3", "-m", "unittest", "-v"];
const PYTEST = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"];

const SHOP = {
  "shop/__init__.py": "",
  "shop/events.py": `"""Events."""
from __future__ import annotations

HANDLERS = {}


def on(name):
    def add(handler):
        HANDLERS[name] = handler
        return handler

    return add


def emit(name, value):
    """Calls the handler."""
    return list(map(lambda one: HANDLERS[name](one), [value]))[0]
`,
  "shop/price.py": `from shop import events


@events.on("paid")
def round_up(value):
    return -(-value // 1)


class Price:
    def __init__(self, value): self.value = value

    async def load(self):
        return self.value

    def never(self):
        return 0


if __name__ == "__main__":
    print(round_up(1.5))
`,
};

testNeeding(
  [PYTHON, "posix"],
  "PYTHON_WAY tells what each test of unittest ran, its class, threads and children",
  async () => {
    const { plain, watched, recording } = await watch(PYTHON_WAY, {
      ...SHOP,
      "tests/__init__.py": "",
      "tests/test_shop.py": `import asyncio, os, subprocess, sys, threading, unittest
from shop.events import emit
from shop import price


class TestShop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.price = price.Price(2)

    @classmethod
    def tearDownClass(cls):
        emit("paid", 1)

    def test_a_event(self):
        self.assertEqual(emit("paid", 1.5), 2)

    def test_b_child(self):
        subprocess.run([sys.executable, "-m", "shop.price"], check=True, stdout=subprocess.DEVNULL)

    def test_c_fork(self):
        child = os.fork()
        if child == 0:
            price.Price(1)
            os._exit(0)
        os.waitpid(child, 0)

    def test_d_thread(self):
        thread = threading.Thread(target=emit, args=("paid", 1))
        thread.start()
        thread.join()

    def test_e_async(self):
        asyncio.run(self.price.load())

    @unittest.skip("not now")
    def test_f_skipped(self):
        emit("paid", 1)

    def test_g_fails(self):
        self.assertEqual(emit("paid", 1), 2)
`,
    }, UNITTEST);
    deepEqual(watched, plain);
    deepEqual(recording.notes, []);
    equal(recording.isWhole, true);
    equal(recording.runner, "unittest");
    const name = (test: string, outcome = "passed") =>
      `tests.test_shop.TestShop.${test} ${outcome} tests/test_shop.py`;
    deepEqual(showNames(recording), {
      [name("test_a_event")]: "__init__ emit round_up setUpClass test_a_event",
      [name("test_b_child")]: "add on round_up test_b_child",
      [name("test_c_fork")]: "__init__ test_c_fork",
      [name("test_d_thread")]: "emit round_up test_d_thread",
      [name("test_e_async")]: "load test_e_async",
      [name("test_f_skipped", "skipped")]: "",
      [name("test_g_fails", "failed")]: "emit round_up tearDownClass test_g_fails",
      loaded: "add on",
    });
    // The line of a caller says which function it is.
    deepEqual(showCalls(recording).filter((call) => /emit|round_up/.test(call)), [
      "shop/events.py:17 <lambda> > round_up",
      "tests/test_shop.py:13 tearDownClass > emit",
      "tests/test_shop.py:16 test_a_event > emit",
      "tests/test_shop.py:41 test_g_fails > emit",
    ]);
  },
);

testNeeding(
  [PYTHON],
  "PYTHON_WAY gives a line inside of each function, and its name",
  async () => {
    const { recording } = await watch(PYTHON_WAY, {
      "lib.py": `def plain():
    """Doc."""
    return 1


def decorate(function):
    return function


@decorate
@decorate
def decorated(a,
              b=2):
    """Doc

    in lines.
    """
    return a


class Outer:
    class Inner:
        def method(self): return self


def around():
    if True:
        def inside():
            yield 1
    return inside
`,
      "test_lib.py": `import unittest, lib

class Test(unittest.TestCase):
    def test_all(self):
        lib.plain(), lib.decorated(1), lib.Outer.Inner().method(), list(lib.around()())
        self.assertEqual(lib.plain.__doc__, "Doc.")
`,
    }, UNITTEST);
    const ranges = {
      plain: [1, 3],
      decorate: [6, 7],
      decorated: [10, 18],
      method: [23, 23],
      around: [26, 30],
      inside: [28, 29],
    };
    const own = recording.functions.filter(({ path }) => path === "lib.py");
    deepEqual(own.map(({ name }) => name).sort(), Object.keys(ranges).sort());
    for (const [name, [from = 0, to = 0]] of Object.entries(ranges)) {
      const line = own.find((one) => one.name === name)?.line ?? 0;
      ok(from <= line && line <= to, `${name}: ${line}`);
    }
  },
);

testNeeding(
  [PYTHON, "pytest"],
  "PYTHON_WAY tells what each test of pytest ran, with its fixtures and helpers",
  async () => {
    const { plain, watched, recording } = await watch(PYTHON_WAY, {
      ...SHOP,
      "pytest.ini": "[pytest]\nfilterwarnings = error\n",
      "tests/__init__.py": "",
      "tests/conftest.py": `import pytest
from shop.price import Price


@pytest.fixture(scope="session")
def price():
    yield Price(2)
    Price(3)
`,
      "tests/test_shop.py": `import pytest
from shop.events import emit


def pay(value):
    return emit("paid", value)


class TestPay:
    @pytest.mark.parametrize("value", [1, 1.5])
    def test_value(self, value):
        assert pay(value) == round(value + 0.1)


def test_price(price):
    assert price.value == 2


@pytest.mark.skip(reason="not now")
def test_skipped(price):
    pass


@pytest.mark.xfail
def test_expected():
    assert pay(1) == 2


def test_fails():
    one = pay(1)
    assert one == 2, "why"
`,
    }, PYTEST);
    deepEqual(watched, plain);
    match(plain?.text ?? "", /1 failed, 3 passed, 1 skipped, 1 xfailed/);
    deepEqual([recording.runner, recording.isWhole, recording.notes], ["pytest", true, []]);
    deepEqual(showNames(recording), {
      "tests/test_shop.py::TestPay::test_value[1] passed tests/test_shop.py":
        "emit pay round_up test_value",
      "tests/test_shop.py::TestPay::test_value[1.5] passed tests/test_shop.py":
        "emit pay round_up test_value",
      "tests/test_shop.py::test_price passed tests/test_shop.py": "__init__ price test_price",
      "tests/test_shop.py::test_skipped skipped tests/test_shop.py": "",
      "tests/test_shop.py::test_expected skipped tests/test_shop.py":
        "emit pay round_up test_expected",
      "tests/test_shop.py::test_fails failed tests/test_shop.py":
        "__init__ emit pay round_up test_fails",
      loaded: "add on",
    });
    ok(showCalls(recording).includes("tests/test_shop.py:6 pay > emit"));
  },
);

testNeeding(
  [PYTHON, "pytest"],
  "PYTHON_WAY counts a pytest inside of a test to that test",
  async () => {
    const { plain, watched, recording } = await watch(PYTHON_WAY, {
      ...SHOP,
      "test_inner.py": `import subprocess, sys
from shop.events import emit
import pytest

INNER = "from shop.events import emit\\n\\ndef test_x():\\n    emit('paid', 1)\\n"


def test_same_process(tmp_path):
    import shop.price
    (tmp_path / "test_x.py").write_text(INNER)
    assert pytest.main(["-q", "-p", "no:cacheprovider", str(tmp_path)]) == 0


def test_child(tmp_path):
    (tmp_path / "test_x.py").write_text("import shop.price\\n" + INNER)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", str(tmp_path)], stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout
`,
    }, PYTEST);
    deepEqual([watched.code, recording.isWhole], [plain?.code, true], watched.text);
    deepEqual(showNames(recording), {
      "test_inner.py::test_same_process passed test_inner.py":
        "add emit on round_up test_same_process",
      "test_inner.py::test_child passed test_inner.py": "add emit on round_up test_child",
      loaded: "",
    });
  },
);

testNeeding(
  [PYTHON],
  "PYTHON_WAY loads the sitecustomize of others, and keeps their PYTHONPATH behind its own",
  async () => {
    const { plain, watched } = await watch(PYTHON_WAY, {
      "other/sitecustomize.py": "import sys\nsys.other = 'loaded'\n",
      "test_path.py": `import os, sys, unittest

class Test(unittest.TestCase):
    def test_all(self):
        self.assertEqual(sys.other, "loaded")
        self.assertTrue(sys.modules["sitecustomize"].__file__.endswith("other/sitecustomize.py"))
        print([path for path in sys.path if path.endswith("python")])
`,
    }, [
      "python3",
      "-c",
      `import os, sys
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), os.path.abspath("other")]))
os.execv(sys.executable, [sys.executable, "-m", "unittest"])`,
    ]);
    deepEqual(watched, plain);
    equal(plain?.code, 0, plain?.text);
  },
);

testNeeding(
  [PYTHON, "posix"],
  "PYTHON_WAY watches a project that is the test framework itself, as pytest tests itself",
  async () => {
    const { stdout } = await new Deno.Command("python3", {
      args: ["-c", "import os, unittest; print(os.path.dirname(unittest.__file__))"],
    }).output();
    const folder = new TextDecoder().decode(stdout).trim();
    const own: Record<string, string> = {};
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile && name.endsWith(".py")) {
        own[`unittest/${name}`] = await Deno.readTextFile(`${folder}/${name}`);
      }
    }
    const { recording } = await watch(PYTHON_WAY, {
      ...own,
      ...SHOP,
      "test_price.py": `import unittest
from shop.price import round_up


class TestPrice(unittest.TestCase):
    def test_up(self):
        self.assertEqual(round_up(1.5), 2)
`,
    }, UNITTEST);
    const [test] = recording.tests;
    equal(`${test?.name} ${test?.outcome}`, "test_price.TestPrice.test_up passed");
    const names = test?.ran.map((id) => recording.functions[id]?.name) ?? [];
    ok(names.includes("round_up"));
    ok(names.includes("assertEqual"));
  },
);
