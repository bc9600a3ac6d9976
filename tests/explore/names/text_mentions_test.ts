/** What no fact explains of a name: told with every answer about it, so that only the rest is called complete. */
import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import type { ImpactProject } from "../../impact/impact_project.ts";
import { createImpactProject } from "../with_programs.ts";

const FILES = {
  "app/billing.py":
    'def charge_card(n):\n    """charge_card takes money."""\n    return n\n\n\ndef settle(n):\n    return n\n',
  "app/other.py": "import app.billing\n# charge_card and settle were here\n",
  "tests/test_billing.py":
    'import app.billing\n\ndef test_it():\n    assert getattr(app.billing, "charge_card")(1)\n',
  "urls.py": 'ROUTES = ["app.billing.charge_card", "cannot settle this"]\n',
  "pyproject.toml": '[project.scripts]\npay = "app.billing:charge_card"\n',
  "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    pay = app.billing:charge_card\n",
  "package.json": '{ "scripts": { "pay": "python -c \'charge_card(1)\'" } }\n',
  ".github/workflows/ci.yml": "jobs:\n  pay:\n    run: python -m app.billing charge_card\n",
  Makefile: "pay:\n\tpython -c 'charge_card(1)'\n",
  "db/a.sql": "SELECT charge_card(1);\n",
  "pages/a.html": '<button onclick="charge_card(1)">x</button>\n',
  "bin/nightly": "#!/usr/bin/env python3\nfrom app.billing import charge_card\ncharge_card(3)\n",
  "notebooks/a.ipynb": '{ "cells": [{ "source": ["charge_card(1)"] }] }\n',
  "legacy.pyx": "cdef int pay():\n    return charge_card(1)\n",
  "docs/guide.md": "Call `charge_card` first, and then settle.\n",
  "CHANGELOG.md": "- `settle` was added\n",
};

async function ask({ explorer }: ImpactProject, symbol: string) {
  const page = { symbol, maxResults: 50 };
  const found = await explorer.findReferences({ ...page, includeText: false });
  ok(found.kind === "found");
  return found.notices?.join(" ") ?? "";
}

Deno.test("an answer about a name was called complete while strings, data and files that nothing reads name it", async () => {
  await using project = await createImpactProject(FILES);
  const told = await ask(project, "charge_card");
  match(
    told,
    /4 files name it in text that is not read: bin\/nightly, legacy.pyx, notebooks\/a.ipynb, …/,
  );
  match(told, /named in strings of 2 files: tests\/test_billing.py:4, urls.py:1/);
  match(told, /named in data of \d files: .github\/workflows\/ci.yml:3, package.json:1, pyproject/);
  match(told, /named in a document: docs\/guide.md:1/);
  const { files, tests, notices } = await project.ask({ symbols: ["charge_card"] });
  const named = new Set(files.filter(({ isMust }) => !isMust).map(({ path }) => path));
  const wanted = Object.keys(FILES).filter((path) => !/^app|CHANGELOG/.test(path));
  deepEqual(wanted.filter((path) => !named.has(path)), []);
  deepEqual(tests, ["tests/test_billing.py"]);
  match(notices.join(), /named in strings of 2 files/);
});

Deno.test("comments, modules of imports, what was said of the past and words of prose leave an answer complete", async () => {
  await using project = await createImpactProject({
    ...FILES,
    "src/user_store.ts": "export function user_store() { return 1; }\n",
    "src/use.ts": "import { user_store } from './user_store';\nuser_store(); // user_store\n",
  });
  deepEqual(await ask(project, "settle"), "");
  deepEqual(await ask(project, "user_store"), "");
  const { files, notices } = await project.ask({ symbols: ["settle"] });
  deepEqual([files.filter(({ edges }) => edges.length > 0), notices], [[], []]);
});

/** One use by a text, in files of many kinds: the symbol, the files, and the one that names it. */
const USES: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["UserController.index", {
    "app/UserController.php":
      "<?php\nclass UserController {\n  public function index() { return 1; }\n}\n",
    "routes/web.php": "<?php\nRoute::get('/u', [UserController::class, 'index']);\n",
  }, "routes/web.php"],
  ["UsersController.show", {
    "app/users_controller.rb": "class UsersController\n  def show\n    1\n  end\nend\n",
    "config/routes.rb": 'get "/u", to: "users#show"\n',
  }, "config/routes.rb"],
  ["Users.check_owner", {
    "app/users.rb": "class Users\n  def check_owner\n    1\n  end\nend\n",
    "app/posts.rb": "class Posts\n  before_action :check_owner\nend\n",
  }, "app/posts.rb"],
  ["save_user", {
    "app/views.py": "def save_user(request):\n    return request\n",
    "app/urls.py": 'urlpatterns = [path("u", "app.views.save_user")]\n',
  }, "app/urls.py"],
  ["deployAll", {
    "src/deploy.js": "exports.deployAll = function () { return 1; };\n",
    "scripts/deploy": "#!/bin/sh\nnode -e 'require(\"../src/deploy\").deployAll()'\n",
  }, "scripts/deploy"],
  ["Money.Show", {
    "money.go": "package money\n\ntype Money struct{}\n\nfunc (m Money) Show() int { return 1 }\n",
    "web/price.tmpl": "<b>{{ .Show }}</b>\n",
  }, "web/price.tmpl"],
  ["PriceTag", {
    "src/tag.ts": "export class PriceTag extends HTMLElement {}\n",
    "index.html": "<body><price-tag></price-tag></body>\n",
  }, "index.html"],
  ["charges", {
    "db/a.sql": "CREATE TABLE charges (id int);\n",
    "app/dao.py": 'def rows(db):\n    return db.run("SELECT id FROM charges")\n',
  }, "app/dao.py"],
  ["pay-now", {
    "index.html": '<button id="pay-now">x</button>\n',
    "ui.js": 'document.getElementById("pay-now").focus();\n',
  }, "ui.js"],
  ["render", {
    "src/views/page.go": "package views\n\nfunc render() int { return 1 }\n",
    "conf/app.yaml": "handler: views.render\n",
  }, "conf/app.yaml"],
];

Deno.test("impact names files that use a symbol by a text alone, as by name", async () => {
  for (const [symbol, files, path] of USES) {
    await using project = await createImpactProject(files);
    const found = await project.ask({ symbols: [symbol] });
    deepEqual(found.files.map((file) => [file.path, file.isMust]), [[path, false]], symbol);
    ok(found.notices.length > 0, symbol);
  }
});

Deno.test("impact of a component, a script and a module finds what names their files", async () => {
  await using project = await createImpactProject({
    "ui/PriceTag.vue":
      "<template><b/></template>\n<script>\nexport default { name: 'PriceTag' }\n</script>\n",
    "ui/Shop.vue": "<template><price-tag/></template>\n<script>\nexport default {}\n</script>\n",
    "scripts/deploy.sh": "echo 1\n",
    Dockerfile: "RUN scripts/deploy.sh\n",
    "views/_nav_bar.html.erb": "<nav></nav>\n",
    "views/home.html.erb": "<%= render 'nav_bar' %>\n",
    "bin/nightly": "#!/bin/sh\n",
    "package.json": '{ "bin": { "x": "bin/nightly" } }\n',
    "jobs/night.py": "def go():\n    return 1\n",
    "cron.txt.in": "0 3 * * * python -m jobs.night\n",
  });
  const named = async (file: string) =>
    (await project.ask({ targetFiles: [file] })).files.map(({ path }) => path);
  deepEqual(await named("ui/PriceTag.vue"), ["ui/Shop.vue"]);
  deepEqual(await named("scripts/deploy.sh"), ["Dockerfile"]);
  deepEqual(await named("jobs/night.py"), ["cron.txt.in"]);
  deepEqual(await named("views/_nav_bar.html.erb"), ["views/home.html.erb"]);
  deepEqual(await named("bin/nightly"), ["package.json"]);
});

Deno.test("a definition in a text that nothing reads is told of, and so is what is only declared", async () => {
  await using project = await createImpactProject({
    "a.c": "int both_sides(void);\nint main(void) { return both_sides(); }\n",
    "lib.py": "def nightly_main():\n    return 1\n",
    "bin/nightly": "#!/usr/bin/env python3\ndef nightly_main():\n    return 2\n",
    "bin/other": "#!/usr/bin/env python3\nnightly_main()\n",
  });
  const ask = async (symbol: string) => {
    const page = { symbol, exactMatch: false, maxResults: 5 };
    const found = await project.explorer.findDefinitions(page);
    ok(found.kind === "found");
    return found.notices?.join(" ") ?? "";
  };
  match(await ask("nightly_main"), /1 file names it in text that is not read: bin\/nightly\./);
  match(await ask("both_sides"), /Only declarations were found/);
});

Deno.test("uses of a name that an import of Python gives, and a package passes on, are found as by name", async () => {
  await using project = await createImpactProject({
    "core.py": "def add_all(a, b):\n    return a + b\n",
    "pkg/__init__.py": "from core import add_all as total\n",
    "use.py": "from core import add_all as plus\nplus(1, 2)\n",
    "far.py": "from pkg import total\ntotal(1, 2)\n",
    "other.py": "total = 1\nplus = 2\n",
  });
  const { explorer } = project;
  const found = await explorer.findReferences({
    symbol: "add_all",
    includeText: false,
    maxResults: 50,
  });
  ok(found.kind === "found");
  const places = found.references.map(({ path, line, kind }) => `${path}:${line} ${kind}`);
  deepEqual(places.filter((place) => !/core.py/.test(place)), [
    "far.py:1 import",
    "far.py:2 call",
    "pkg/__init__.py:1 import",
    "use.py:1 import",
    "use.py:2 call",
  ]);
  const { files } = await project.ask({ symbols: ["add_all"] });
  deepEqual(files.map(({ path, isMust }) => `${path} ${isMust}`), [
    "pkg/__init__.py true",
    "use.py true",
    "far.py false",
  ]);
});
