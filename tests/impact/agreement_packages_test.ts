/** References and impact on names that packages and namespaces have, not files. */
import { check } from "./agreement.ts";

check("names of the own package beside those of a whole package that is imported", {
  "src/p/Box.java": "package p;\n\npublic class Box {\n  public int get() { return 1; }\n}\n",
  "src/q/Box.java": "package q;\n\npublic class Box {\n  public int get() { return 2; }\n}\n",
  "src/q/Use.java":
    "package q;\n\nimport p.*;\n\nclass Use {\n  int f(Box b) {\n    return b.get();\n  }\n}\n",
  "cs/A.cs": "namespace A { public class Dog { public int Speak() { return 1; } } }\n",
  "cs/B.cs": "namespace B { public class Dog { public int Speak() { return 2; } } }\n",
  "cs/U.cs":
    "using A;\nnamespace B {\n  class U {\n    int F(Dog d) {\n      return d.Speak();\n    }\n  }\n}\n",
}, [
  ["src/p/Box.java", "Box.get", []],
  ["src/q/Box.java", "Box.get", ["src/q/Use.java:7"]],
  ["cs/A.cs", "Dog.Speak", []],
  ["cs/B.cs", "Dog.Speak", ["cs/U.cs:5"]],
]);

check("types inside of others, which do not take over their name in the rest of the file", {
  "user.py": "class User:\n    def save(self): pass\n",
  "form.py":
    "from user import User\n\nclass Form:\n    class User:\n        def save(self): pass\n\ndef store():\n    u = User()\n    u.save()\n",
  "user.ts": "export class User { keep() {} }\n",
  "form.ts":
    "import { User } from './user';\nexport function test() {\n  class User { keep() {} }\n  return User;\n}\nexport function store(u: User) {\n  u.keep();\n}\n",
}, [
  ["user.py", "User.save", ["form.py:9"]],
  ["user.ts", "User.keep", ["form.ts:7"]],
]);
