/** Types of Python in common words. */
import { strictEqual as equal } from "node:assert/strict";
import { writePythonType } from "../../../src/analysis/trees/python_type_text.ts";

const ROWS: readonly (readonly [written: string, expected: string])[] = [
  ["User", "User"],
  ["models.User | None", "models.User"],
  ["t.Optional['User']", "User"],
  ["Union[A, 'B', None]", "A | B"],
  ["list[t.Annotated[User, 1]]", "Array<User>"],
  ["dict[str, list['User']]", "dict<str, Array<User>>"],
  ["tuple[A, B]", "[A, B]"],
  ["Tuple[A, ...]", "Array<A>"],
  ["type['User']", "typeof User"],
  ["Callable[[A, int], B]", "(p0: A, p1: int) => B"],
  ["cabc.Callable[..., B]", "() => B"],
  ["Coroutine[None, None, A]", "Promise<A>"],
  ["te.Self", "this"],
  ["Literal['a']", "{}"],
  ["Box[A]", "Box<A>"],
  ["None", "null"],
  ["", "{}"],
];

Deno.test("writePythonType() says types of Python in the words of the other languages", () => {
  for (const [written, expected] of ROWS) equal(writePythonType(written), expected, written);
});
