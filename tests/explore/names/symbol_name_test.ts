/** Names of symbols, taken apart and compared. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  beginsWord,
  compareNames,
  isInScope,
  parseSymbolName,
} from "../../../src/explore/names/symbol_name.ts";
import type { SymbolName } from "../../../src/explore/names/symbol_name.ts";

function parse(text: string): SymbolName {
  const result = parseSymbolName(text);
  ok(result.kind === "name", text);
  return result.value;
}

function check(text: string, scope: readonly string[], name: string): void {
  Deno.test(`parseSymbolName() reads ${text}`, () => {
    const value = parse(text);
    deepEqual([value.scope, value.name], [scope, name]);
  });
}

check("save", [], "save");
check("User.save", ["User"], "save");
check("a::b::c", ["a", "b"], "c");
check("User#save!", ["User"], "save!");
check("App\\Models\\User", ["App", "Models"], "User");
check("\\App\\f()", ["App"], "f");
check("p->next", ["p"], "next");
check(".btn-primary", [], "btn-primary");
check("$user", [], "user");
check("日本語", [], "日本語");

Deno.test("compareNames() tells exact names, other cases and parts", () => {
  equal(compareNames(".btn", parse("btn")), "exact");
  equal(compareNames("A.B", parse("B")), "exact");
  equal(compareNames("Save", parse("save")), "case_insensitive");
  equal(compareNames("saveAll", parse("save")), "sub_word");
  equal(compareNames("load", parse("save")), undefined);
});

Deno.test("beginsWord() finds words inside names", () => {
  equal(beginsWord("getUserName", parse("User")), true);
  equal(beginsWord("abuser", parse("user")), false);
  equal(beginsWord("get_user", parse("user")), true);
});

Deno.test("isInScope() takes the end of a scope, the file as a module, and the folder as a package", () => {
  const tag = { name: "save", scope: "App\\Models\\User", path: "src/users.py" };
  equal(isInScope(tag, parse("User.save")), true);
  equal(isInScope(tag, parse("Models\\User::save")), true);
  equal(isInScope(tag, parse("Other.save")), false);
  equal(isInScope({ name: "load", path: "src/users.py" }, parse("users.load")), true);
  const given = { name: "style", path: "src/click/termui.py" };
  equal(isInScope(given, parse("click.style")), true);
  equal(isInScope(given, parse("clack.style")), false);
  equal(isInScope({ ...given, scope: "Theme" }, parse("click.style")), false);
});
