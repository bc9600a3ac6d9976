/** Which definition a place leads to, in small projects of many languages, read by the real parsers. */
import { check } from "./follow_places.ts";

check("follows imports of TypeScript through extensions, folders and files that pass on", {
  "src/a.ts": "export function load() {}\nexport class Box {\n  open() {}\n}\n",
  "src/b.ts": "export function load() {}\n",
  "src/lib/index.ts": "export * from '../a.ts';\nexport { load as fetch } from '../b';\n",
  "src/use.ts": "import { load } from './a.js';\nload();\n",
  "src/barrel.ts": "import { load, Box, fetch } from './lib';\nload();\nnew Box();\nfetch();\n",
  "src/alias.ts": "import { load as other } from './a';\nload();\n",
  "src/space.ts": "import * as b from '@/b';\nb.load();\n",
  "src/far.ts": "import { load } from 'some-package';\nload();\n",
  "src/none.ts": "load();\n",
}, [
  ["src/use.ts", "load", ["1 -> src/a.ts:1", "2 -> src/a.ts:1"]],
  ["src/barrel.ts", "load", ["1 -> src/a.ts:1", "2 -> src/a.ts:1"]],
  ["src/barrel.ts", "Box", ["1 -> src/a.ts:2", "3 -> src/a.ts:2"]],
  ["src/alias.ts", "load", ["1 -> src/a.ts:1", "2 -> ?"]],
  ["src/space.ts", "load", ["2 -> src/b.ts:1"]],
  ["src/far.ts", "load", ["1 -> ?", "2 -> ?"]],
  ["src/none.ts", "load", ["1 -> ?"]],
]);

check("knows the scopes of a file: nested functions, this, parameters and variables in the way", {
  "a.ts": "function go() {}\nclass A {\n  go() {}\n  run() {\n    this.go();\n    go();\n  }\n}\n" +
    "function taker(go: number) {\n  return go;\n}\nfunction keeper() {\n  const go = 1;\n  return go;\n}\n" +
    "class B extends A {\n  last() {\n    this.go();\n    super.go();\n  }\n}\n" +
    "const x = make();\nx.go();\n",
}, [
  ["a.ts", "go", [
    "1 -> a.ts:1",
    "3 -> a.ts:3",
    "5 -> a.ts:3",
    "6 -> a.ts:1",
    "9 -> ?",
    "10 -> ?",
    "13 -> ?",
    "14 -> ?",
    "18 -> a.ts:3",
    "19 -> a.ts:3",
    "23 -> ?",
  ]],
]);

check("follows Python: relative and dotted modules, packages, classes and modules as receivers", {
  "app/__init__.py": "from .models import User\n",
  "app/models.py": "class User:\n    def save(self):\n        pass\n\n\ndef save():\n    pass\n",
  "other.py": "class User:\n    def save(self):\n        pass\n",
  "app/views.py":
    "from .models import User\nfrom . import models\nfrom app import User as U\n\n\nclass Admin(User):\n" +
    "    def go(self):\n        self.save()\n        models.save()\n        User.save(self)\n        self.x.save()\n",
  "main.py": "from app import User\nUser()\n",
}, [
  ["app/views.py", "save", [
    "8 -> app/models.py:2",
    "9 -> app/models.py:6",
    "10 -> app/models.py:2",
    "11 -> ?",
  ]],
  ["app/views.py", "User", [
    "1 -> app/models.py:1",
    "3 -> app/models.py:1",
    "6 -> app/models.py:1",
    "10 -> app/models.py:1",
  ]],
  ["main.py", "User", ["1 -> app/models.py:1", "2 -> app/models.py:1"]],
]);

check("follows Go: the folder is the package, its path the import", {
  "go.mod": "module example.com/x\n",
  "util/a.go": "package util\n\nfunc Do() {}\n",
  "util/b.go": "package util\n\nfunc Use() { Do() }\n",
  "other/a.go": "package other\n\nfunc Do() {}\n",
  "main.go": 'package main\n\nimport "example.com/x/util"\n\nfunc main() { util.Do() }\n',
}, [
  ["util/b.go", "Do", ["3 -> util/a.go:3"]],
  ["main.go", "Do", ["5 -> util/a.go:3"]],
]);

check("takes methods that stand apart from their type for members of it", {
  "go/server.go":
    "package web\n\ntype Server struct{}\n\nfunc (s Server) Own() { s.Start() }\nfunc Start() {}\n\nfunc all() { Start(); Server.Start(x); Stop() }\n",
  "go/methods.go":
    "package web\n\nfunc (s *Server) Start() {}\n\nfunc (s *Server) Stop() { s.Start() }\n\nfunc (o *Other) Go(s *Box) { s.Start() }\n",
  "inc/shop.h":
    "namespace n {\nclass Shop {\n  void open();\n  void close();\n};\nvoid run();\n}\n",
  "src/shop.cpp":
    '#include "shop.h"\nvoid n::Shop::open() { close(); this->close(); }\nvoid n::Shop::close() {}\nvoid n::run() {}\n',
  "src/main.cpp": '#include "shop.h"\nint main() { close(); n::run(); }\n',
  "ext.kt": "package k\n\nfun Shop.sell() {}\n\nfun go() { sell() }\n",
  "m.js": "const app = {};\napp.use = function use() {};\nfunction go() { use(); app.use(); }\n",
}, [
  // A plain call leads to the function, not to the method of another file.
  ["go/server.go", "Start", [
    "5 -> go/methods.go:3",
    "6 -> go/server.go:6",
    "8 -> go/server.go:6",
    "8 -> go/methods.go:3",
  ]],
  ["go/server.go", "Stop", ["8 -> ?"]],
  // The receiver's name is the object in its own method only.
  ["go/methods.go", "Start", ["3 -> go/methods.go:3", "5 -> go/methods.go:3", "7 -> ?"]],
  ["src/shop.cpp", "close", [
    "2 -> src/shop.cpp:3",
    "2 -> inc/shop.h:4",
    "3 -> src/shop.cpp:3",
  ]],
  ["src/main.cpp", "close", ["2 -> ?"]],
  ["ext.kt", "sell", ["3 -> ext.kt:3", "5 -> ?"]],
]);

check("follows Java and Kotlin: the package's folder, imports, members without a receiver", {
  "src/com/x/Tool.java":
    "package com.x;\n\npublic class Tool {\n  public static void run() {}\n  void all() { run(); }\n}\n",
  "src/com/x/Near.java": "package com.x;\n\nclass Near {\n  void go() { Tool.run(); }\n}\n",
  "src/com/y/Tool.java":
    "package com.y;\n\npublic class Tool {\n  public static void run() {}\n}\n",
  "src/com/z/Far.java":
    "package com.z;\n\nimport com.y.Tool;\n\nclass Far extends Tool {\n  void go() { Tool.run(); run(); }\n}\n",
}, [
  ["src/com/x/Tool.java", "run", ["4 -> src/com/x/Tool.java:4", "5 -> src/com/x/Tool.java:4"]],
  ["src/com/x/Near.java", "run", ["4 -> src/com/x/Tool.java:4"]],
  ["src/com/z/Far.java", "run", ["6 -> src/com/y/Tool.java:4", "6 -> src/com/y/Tool.java:4"]],
  ["src/com/z/Far.java", "Tool", [
    "3 -> src/com/y/Tool.java:3",
    "5 -> src/com/y/Tool.java:3",
    "6 -> src/com/y/Tool.java:3",
  ]],
]);

check("follows C# by namespaces and PHP by use", {
  "A.cs": "namespace One;\npublic class Tool {\n  public static void Run() {}\n}\n",
  "B.cs": "namespace Two;\npublic class Tool {\n  public static void Run() {}\n}\n",
  "C.cs": "using Two;\nnamespace Three;\nclass C {\n  void Go() { Tool.Run(); }\n}\n",
  "src/User.php":
    "<?php\nnamespace App\\Models;\nclass User {\n  public static function make() {}\n  function go() { self::make(); $this->go(); }\n}\n",
  "old/User.php": "<?php\nnamespace Old;\nclass User {\n  public static function make() {}\n}\n",
  "src/Use.php": "<?php\nnamespace App;\nuse App\\Models\\User;\nUser::make();\nnew User();\n",
}, [
  ["C.cs", "Run", ["4 -> B.cs:3"]],
  ["C.cs", "Tool", ["4 -> B.cs:2"]],
  ["src/User.php", "make", ["4 -> src/User.php:4", "5 -> src/User.php:4"]],
  ["src/Use.php", "make", ["4 -> src/User.php:4"]],
  ["src/Use.php", "User", ["3 -> src/User.php:3", "4 -> src/User.php:3", "5 -> src/User.php:3"]],
]);

check("follows Rust: crate, super, self, Self and types", {
  "src/lib.rs": "mod a;\nmod b;\n",
  "src/a.rs":
    "pub fn f() {}\npub struct S;\nimpl S {\n  pub fn new() -> S { S }\n  fn two() { Self::new(); }\n}\n",
  "src/b.rs": "pub fn f() {}\n",
  "src/b/inner.rs":
    "use crate::a::f;\nuse crate::a::S;\nuse super::f as g;\nfn go() {\n  f();\n  S::new();\n}\n",
}, [
  ["src/a.rs", "new", ["4 -> src/a.rs:4", "5 -> src/a.rs:4"]],
  ["src/b/inner.rs", "f", ["1 -> src/a.rs:1", "3 -> src/b.rs:1", "5 -> src/a.rs:1"]],
  ["src/b/inner.rs", "new", ["6 -> src/a.rs:4"]],
]);

check("follows Ruby constants and requires, Lua requires, Elixir aliases, C includes", {
  "lib/user.rb":
    "class User\n  def self.make\n  end\n  def go\n    stop\n  end\n  def stop\n  end\nend\n",
  "lib/other.rb": "class Other\n  def stop\n  end\nend\n",
  "lib/app.rb": "require_relative 'user'\nUser.make\n",
  "src/m.lua": "local M = {}\nfunction M.go() end\nreturn M\n",
  "src/n.lua": "local N = {}\nfunction N.go() end\nreturn N\n",
  "main.lua": "local m = require('src.m')\nm.go()\n",
  "lib/repo.ex": "defmodule MyApp.Repo do\n  def insert(a), do: a\nend\n",
  "lib/fake.ex": "defmodule Fake.Repo do\n  def insert(a), do: a\nend\n",
  "lib/user.ex":
    "defmodule MyApp.User do\n  alias MyApp.Repo\n  def create(a), do: Repo.insert(a)\nend\n",
  "src/x.h": "int helper(int a);\n",
  "src/x.c": '#include "x.h"\nint helper(int a) { return a; }\n',
  "src/y.c": "static int helper(int a) { return 1; }\n",
  "src/main.c": '#include "x.h"\nint main() { return helper(1); }\n',
}, [
  ["lib/app.rb", "make", ["2 -> lib/user.rb:2"]],
  ["lib/user.rb", "stop", ["5 -> lib/user.rb:7", "7 -> lib/user.rb:7"]],
  ["main.lua", "go", ["2 -> src/m.lua:2"]],
  ["lib/user.ex", "insert", ["3 -> lib/repo.ex:2"]],
  ["src/main.c", "helper", ["2 -> src/x.c:2"]],
]);
