/** Wordings that stand in for work, and their twins that mean what they say. */
import { strictEqual as equal } from "node:assert/strict";
import { isMark, kindOfStatement } from "../../../src/evidence/empty/empty_wording.ts";

const ROWS: readonly (readonly [statement: string, kind: string])[] = [
  ["", "noop"],
  [";", "noop"],
  ["return;", "noop"],
  ["(void)a;", "noop"],
  ["_ = a", "noop"],
  ["throw new NotImplementedException();", "placeholder"],
  ["throw new Error(`Not yet implemented: ${name}`)", "placeholder"],
  ['throw new UnsupportedOperationException("Not supported yet.")', "placeholder"],
  ["raise NotImplementedError", "placeholder"],
  ["raise Exception('FIXME')", "placeholder"],
  ["raise 'todo: later'", "placeholder"],
  ['panic("implement me")', "placeholder"],
  ["unimplemented!()", "placeholder"],
  ['todo!("later")', "placeholder"],
  ["TODO()", "placeholder"],
  ["???", "placeholder"],
  ["notImplemented()", "placeholder"],
  ['return nil, errors.New("f: not implemented")', "placeholder"],
  ["return status.Error(codes.Unimplemented, name)", "placeholder"],
  ["{:error, :not_implemented}", "placeholder"],
  ['console.log("TODO: write")', "placeholder"],
  ["return\n  null;", "trivial"],
  ["({})", "trivial"],
  ["return nil, nil", "trivial"],
  ['return "", nil', "trivial"],
  ["Ok(())", "trivial"],
  ["return A{}, nil", "trivial"],
  ['throw new Error("Todo not found")', "real"],
  ["raise ValueError('no such todo')", "real"],
  ['throw new TodoError("closed")', "real"],
  ['console.log("done")', "real"],
  ["return NotImplemented", "real"],
  ["return false", "constant"],
  ["return 0", "constant"],
  ["return 404", "constant"],
  ["True", "constant"],
  ["return 86400", "real"],
  ["fatalError()", "crash"],
  ['throw new Error("")', "crash"],
  ["throw new RuntimeException();", "crash"],
  ["raise RuntimeError", "crash"],
  ["panic!()", "crash"],
  ["throw error", "real"],
  ["raise ValueError", "real"],
  ["this.controller.abort()", "real"],
  ['fatalError("no such row")', "real"],
  ["return todo", "real"],
  ['return status === "TODO"', "real"],
  ['todos.push({ state: "TODO" })', "real"],
  ["return f(null)", "real"],
  ["a, err := f(nil)", "real"],
  ["return nilable", "real"],
  ["_ = f()", "real"],
  ["error = compute()", "real"],
  ["logTodos(todos)", "real"],
];

Deno.test("kindOfStatement() tells stand-ins, noops and bare values from statements that mean what they say", () => {
  for (const [statement, kind] of ROWS) equal(kindOfStatement(statement), kind, statement);
  equal(kindOfStatement("pass", /^pass$/), "noop");
  equal(kindOfStatement("pass"), "real");
});

Deno.test("isMark() knows a line that only marks unfinished work", () => {
  const rows: readonly (readonly [string, boolean])[] = [
    ["TODO", true],
    ["// FIXME: later", true],
    ["  XXX", true],
    ["todo", false],
    ["TODOS = 3", false],
    ["a TODO", false],
  ];
  for (const [line, expected] of rows) equal(isMark(line), expected, line);
});
