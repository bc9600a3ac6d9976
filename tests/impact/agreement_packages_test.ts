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
  "p/Item.java": "package p;\n\nclass Item {\n  void run() {}\n}\n",
  "p/Box.java": "package p;\n\nclass Box {\n  static class Item {\n    void run() {}\n  }\n" +
    "  void own(Item i) {\n    i.run();\n  }\n}\n\nclass Use {\n  void go(Item i) {\n    i.run();\n  }\n}\n",
  "p/More.java":
    "package p;\n\nclass More extends Box {\n  void go(Item i) {\n    i.run();\n  }\n" +
    "  void far(Box.Item i) {\n    i.run();\n  }\n}\n",
  "cs/Item.cs": "namespace N { public class Item { public void Run() {} } }\n",
  "cs/Box.cs":
    "namespace N {\n  public class Box {\n    public class Item { public void Run() {} }\n  }\n" +
    "  public class Use {\n    void Go(Item i) {\n      i.Run();\n    }\n  }\n}\n",
  "src/item.rs": "pub struct Item;\nimpl Item {\n    pub fn run(&self) {}\n}\n",
  "src/lib.rs": "mod item;\nuse item::Item;\npub fn go(i: &Item) {\n    i.run();\n}\n" +
    "mod tests {\n    pub struct Item;\n    impl Item {\n        pub fn run(&self) {}\n    }\n    fn own(i: &Item) {\n        i.run();\n    }\n}\n",
}, [
  ["user.py", "User.save", ["form.py:9"]],
  ["user.ts", "User.keep", ["form.ts:7"]],
  ["p/Item.java", "Item.run", ["p/Box.java:14"]],
  ["p/Box.java", "Box.Item.run", ["p/More.java:5", "p/More.java:8"]],
  ["cs/Item.cs", "Item.Run", ["cs/Box.cs:7"]],
  ["src/item.rs", "Item.run", ["src/lib.rs:4"]],
]);

check("types of expressions of Python", {
  "kit/__init__.py": "from .model import Model as Model\nfrom . import tools\n",
  "kit/model.py": [
    "import typing as t",
    "",
    "T = t.TypeVar('T', bound='Model')",
    "",
    "class Base:",
    "    owner: t.Optional['Owner'] = None",
    "    def mark(self) -> None: ...",
    "    def __enter__(self: T) -> T: return self",
    "    @property",
    "    def twin(self): return self",
    "",
    "class Model(Base):",
    "    def __init__(self, owner: 'Owner'):",
    "        self.first = Base()",
    "        self.mine = owner",
    "    @classmethod",
    "    def make(cls):",
    "        return cls()",
    "    @staticmethod",
    "    def of(own): own.mark()",
    "    def own(self): pass",
    "",
    "class Owner:",
    "    def mark(self) -> None: ...",
    "    def all(self) -> t.Dict[str, list[Model]]: ...",
    "    async def load(self) -> Model: ...",
  ].join("\n"),
  "kit/tools.py":
    "from .model import Model\n\ndef setup(f: F) -> F: ...\n\n@setup\ndef build():\n    return Model()\n\n" +
    "def odd(f): ...\n\n@odd\ndef other() -> Model: ...\n",
  "use.py": [
    "import kit",
    "from kit import Model, tools",
    "from kit.model import Owner",
    "",
    "async def go(o: Owner, m: Model | None, given):",
    "    with m as entered:",
    "        entered.own()",
    "    m.first.mark()",
    "    m.mine.mark()",
    "    m.twin.own()",
    "    m.owner.mark()",
    "    Model.make().own()",
    "    for key, models in o.all().items():",
    "        for one in models:",
    "            one.own()",
    "        key.own()",
    "    (await o.load()).own()",
    "    [one.own() for one in o.all()['a']]",
    "    tools.build().own()",
    "    tools.other().own()",
    "    kit.Model.make().own()",
    "    if isinstance(given, Owner):",
    "        given.mark()",
    "    given.mark()",
    "    both = Owner()",
    "    if key:",
    "        both = Model.make()",
    "    both.mark()",
    "    both = Model.make()",
    "    both.own()",
    "",
    "class Own(kit.Model):",
    "    def own(self):",
    "        super().own()",
    "        def inner():",
    "            self.mark()",
    "        return self.own()",
    "",
    "def late():",
    "    from kit.model import Base as Owner",
    "    Owner().mark()",
    "",
    "@Own.of",
    "def decorated(): ...",
  ].join("\n"),
}, [
  [
    "kit/model.py",
    "Model.own",
    [10, 12, 15, 17, 18, 19, 21, 30, 34, 7].map((line) => `use.py:${line}`),
  ],
  ["kit/model.py", "Base.mark", ["use.py:36", "use.py:41", "use.py:8"]],
  ["kit/model.py", "Owner.mark", ["use.py:11", "use.py:23", "use.py:9"]],
  ["kit/model.py", "Model.of", ["use.py:43"]],
]);

check(
  "variables of C++ that are made with brackets, and generic functions of Go that name their types",
  {
    "shop/foo.h":
      "#pragma once\nclass Foo {\n public:\n  Foo(int n);\n  int only() { return 1; }\n};\nclass Bar {\n public:\n  int only() { return 2; }\n};\n",
    "shop/use.cpp":
      '#include "foo.h"\nvoid go() {\n  Foo f(1);\n  f.only();\n  Bar b{};\n  b.only();\n  Foo* h = new Foo(3);\n  h->only();\n}\n',
    "go.mod": "module example.com/kit\n",
    "kit/kit.go": "package kit\n\nfunc Make[T any](key string) T { var z T; return z }\n",
    "kit/use.go": 'package kit\n\nfunc use() string { return Make[string]("a") }\n',
    "other/use.go":
      'package other\n\nimport "example.com/kit/kit"\n\nfunc use() string { return kit.Make[string]("a") }\n',
  },
  [
    ["shop/foo.h", "Foo.only", ["shop/use.cpp:4", "shop/use.cpp:8"]],
    ["shop/foo.h", "Bar.only", ["shop/use.cpp:6"]],
    ["kit/kit.go", "Make", ["kit/use.go:3", "other/use.go:5"]],
  ],
);

const JAVA = "src/main/java";
check("fields, inherited methods and imports of Java", {
  [`${JAVA}/shop/Box.java`]:
    "package shop;\n\npublic class Box {\n  public int size() {\n    return 0;\n  }\n}\n",
  [`${JAVA}/shop/Cart.java`]:
    "package shop;\n\npublic class Cart extends Box {\n  public int total() {\n    return 1;\n  }\n}\n",
  // A class of the same name in another package.
  [`${JAVA}/old/Cart.java`]:
    "package old;\n\npublic class Cart {\n  public int total() {\n    return 2;\n  }\n}\n",
  [`${JAVA}/web/Page.java`]:
    "package web;\n\nimport shop.Cart;\n\npublic class Page {\n  private final Cart cart = new Cart();\n\n" +
    "  int show() {\n    return cart.total() + cart.size();\n  }\n}\n",
}, [
  [`${JAVA}/shop/Cart.java`, "shop.Cart.total", [`${JAVA}/web/Page.java:9`]],
  [`${JAVA}/shop/Box.java`, "Box.size", [`${JAVA}/web/Page.java:9`]],
  [`${JAVA}/shop/Box.java`, "Box", [`${JAVA}/shop/Cart.java:3`]],
  [`${JAVA}/old/Cart.java`, "old.Cart.total", []],
]);

check("fixtures of pytest, which reach tests by the names of parameters", {
  "kit/app.py":
    "class Client:\n    def get(self): ...\n    def put(self): ...\n\nclass App:\n    def client(self) -> Client: ...\n    def stop(self): ...\n\nclass Other:\n    def get(self): ...\n    def stop(self): ...\n",
  "tests/conftest.py": [
    "import pytest",
    "from collections.abc import Iterator",
    "from kit.app import App, Client, Other",
    "from .more import shared",
    "",
    "@pytest.fixture(scope='session')",
    "def app():",
    "    made = App()",
    "    yield made",
    "    made.stop()",
    "",
    "@pytest.fixture",
    "def client(app):",
    "    return app.client()",
    "",
    "@pytest.fixture",
    "def declared() -> Iterator[Client]:",
    "    yield make()",
    "",
    "def plain():",
    "    return Client()",
  ].join("\n"),
  "tests/more.py":
    "import pytest\nfrom kit.app import App\n\n@pytest.fixture()\ndef shared():\n    return App()\n",
  "tests/test_app.py": [
    "import pytest",
    "",
    "def test_get(client):",
    "    client.get()",
    "",
    "class TestApp:",
    "    def test_stop(self, app, shared):",
    "        app.stop()",
    "        shared.stop()",
    "",
    "def test_declared(declared):",
    "    declared.put()",
    "",
    "# Whatever the decorator gives is no fixture, and what is set again is another thing.",
    "@pytest.mark.parametrize('client', [1])",
    "def test_given(client):",
    "    client.get()",
    "",
    "def test_set(client):",
    "    client = make()",
    "    client.get()",
    "",
    "def test_plain(plain):",
    "    plain.get()",
    "",
    "def helper(client):",
    "    client.get()",
  ].join("\n"),
  "tests/sub/conftest.py":
    "import pytest\nfrom kit.app import Other\n\n@pytest.fixture\ndef client(client):\n    client.get()\n    return Other()\n",
  "tests/sub/test_sub.py":
    "import pytest\nfrom kit.app import App\n\ndef test_sub(client):\n    client.get()\n\n" +
    "class TestOwn:\n    @pytest.fixture\n    def client(self):\n        return App()\n" +
    "    def test_own(self, client):\n        client.stop()\n\ndef test_after(client):\n    client.get()\n",
  "src/test_far.py": "def test_far(client):\n    client.get()\n",
}, [
  ["kit/app.py", "Client.get", ["tests/sub/conftest.py:6", "tests/test_app.py:4"]],
  ["kit/app.py", "Client.put", ["tests/test_app.py:12"]],
  ["kit/app.py", "Other.get", ["tests/sub/test_sub.py:15", "tests/sub/test_sub.py:5"]],
  ["kit/app.py", "App.stop", [
    "tests/conftest.py:10",
    "tests/sub/test_sub.py:12",
    "tests/test_app.py:8",
    "tests/test_app.py:9",
  ]],
  ["tests/conftest.py", "client", [
    "tests/sub/conftest.py:5",
    "tests/test_app.py:19",
    "tests/test_app.py:3",
  ]],
  ["tests/more.py", "shared", ["tests/conftest.py:4", "tests/test_app.py:7"]],
]);

check("what RSpec gives its examples by name", {
  "lib/user.rb": "class User\n  def save\n  end\n  def name\n  end\nend\n",
  "lib/team.rb": "class Team\n  def save\n  end\nend\n",
  "spec/user_spec.rb": [
    "require 'user'",
    "RSpec.describe User do",
    "  let(:user) { User.new }",
    "  let!(:team) { Team.new(1) }",
    "  subject(:other) { User.new(name: 'a') }",
    "  it 'saves' do",
    "    user.save",
    "    team.save",
    "    other.save",
    "  end",
    "end",
  ].join("\n"),
}, [
  ["lib/user.rb", "User.save", ["spec/user_spec.rb:7", "spec/user_spec.rb:9"]],
  ["lib/team.rb", "Team.save", ["spec/user_spec.rb:8"]],
]);

check("packages of Java and Kotlin that lie in several source sets and modules", {
  "app/src/main/java/a/b/Worker.java": "package a.b;\n\nclass Worker {\n  void go() {}\n}\n",
  "app/src/test/java/a/b/WorkerTest.java":
    "package a.b;\n\nclass WorkerTest {\n  void t() {\n    Worker w = new Worker();\n    w.go();\n  }\n}\n",
  // The same names in another module are that module's own.
  "lib/src/main/java/a/b/Worker.java": "package a.b;\n\nclass Worker {\n  void go() {}\n}\n",
  "lib/src/test/java/a/b/OwnTest.java":
    "package a.b;\n\nclass OwnTest {\n  void t(Worker w) {\n    w.go();\n  }\n}\n",
  "lib/src/test/java/a/c/OtherTest.java":
    "package a.c;\n\nclass OtherTest {\n  void t(Worker w) {\n    w.go();\n  }\n}\n",
  // Two have the name, and neither is nearer.
  "far/src/test/java/a/b/FarTest.java":
    "package a.b;\n\nclass FarTest {\n  void t(Worker w) {\n    w.go();\n  }\n}\n",
  "core/src/main/kotlin/Tool.kt": "package k.tools\n\nclass Tool {\n  fun use() {}\n}\n",
  "core/src/test/kotlin/sub/ToolTest.kt":
    "package k.tools\n\nclass ToolTest {\n  fun t(tool: Tool) {\n    tool.use()\n  }\n}\n",
}, [
  ["app/src/main/java/a/b/Worker.java", "Worker.go", ["app/src/test/java/a/b/WorkerTest.java:6"]],
  ["lib/src/main/java/a/b/Worker.java", "Worker.go", ["lib/src/test/java/a/b/OwnTest.java:5"]],
  ["core/src/main/kotlin/Tool.kt", "Tool.use", ["core/src/test/kotlin/sub/ToolTest.kt:5"]],
]);
