/** Which functions a question about seen tests means, and that nobody's work fails by it. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createSeenTests } from "../../src/services/seen_tests.ts";
import type { SeenCode } from "../../src/workflow/context/seen_code.ts";
import { createSeen } from "../support/seen_runs.ts";
import { createProject } from "../workflow/project_fixture.ts";

const PY = `LIMIT = 3

class Cart:
    def add(self, item):
        def check():
            return item
        return check()

def add(item):
    return item
`;

Deno.test("a question names functions by a symbol, a type, a file, a line or themselves, each once", async () => {
  await using project = await createProject({ files: { "cart.py": PY, "other.py": PY } });
  const { index } = project.services;
  await index.sync({});
  const sample = createSeen({ ran: { "t.py::one": ["cart.py Cart.add"] }, idle: ["cart.py add"] });
  const find = createSeenTests({ index, ...sample });
  const rows: readonly (readonly [SeenCode, readonly string[]])[] = [
    [{ symbols: ["Cart.add"], files: ["cart.py"] }, [
      "cart.py Cart.add run by tests",
      "other.py Cart.add not recorded",
      "cart.py Cart.add.check not recorded",
      "cart.py add not run",
    ]],
    [{ symbols: ["Cart"] }, [
      "cart.py Cart.add run by tests",
      "cart.py Cart.add.check not recorded",
      "other.py Cart.add not recorded",
      "other.py Cart.add.check not recorded",
    ]],
    [{ place: { path: "cart.py", line: 6 } }, [
      "cart.py Cart.add run by tests",
      "cart.py Cart.add.check not recorded",
    ]],
    [{ place: { path: "cart.py", line: 1 } }, []],
    [{ functions: [{ path: "gone.py", name: "f" }] }, ["gone.py f not recorded"]],
  ];
  const answers = await find(rows.map(([code]) => code));
  const told = answers?.map(({ names, functions }) =>
    names.map(({ path, name }, at) => `${path} ${name} ${functions[at]?.seen}`).toSorted()
  );
  deepEqual(told, rows.map(([, wanted]) => wanted.toSorted()));
  deepEqual(answers?.map(({ tests }) => tests.length), [1, 1, 1, 0, 0]);
  deepEqual(await find([]), []);
});

Deno.test("records that are absent or cannot be read are no answer, and no failure", async () => {
  await using project = await createProject();
  const { index } = project.services;
  const ask = async (load: () => Promise<null>) =>
    await createSeenTests({ index, openRuns: () => Promise.resolve({ load }) })([{}]);
  equal(await ask(() => Promise.resolve(null)), null);
  equal(await ask(() => Promise.reject(new Error("the disk is gone"))), null);
});
