/** Chunks of files that a framework gives a meaning: each unit has its kind and name. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { analyseText } from "../../../src/analysis/analyse.ts";

async function chunks(path: string, text: string): Promise<string[]> {
  const analysis = await analyseText(text, { path, chunkMaxTokens: 512 });
  return analysis.chunks.map(({ startLine, endLine, kind, name }) =>
    `${startLine}-${endLine} ${kind} ${name}`.trimEnd()
  );
}

const ROWS: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
  [
    "api/composer.json",
    `{
  "name": "a/b",
  "require": {
    "php": "^8.2"
  },
  "require-dev": {
    "phpunit/phpunit": "^11"
  },
  "autoload": {
    "psr-4": { "App\\\\": "app/" }
  }
}`,
    [
      "1-2 definition name",
      "3-5 composer require",
      "6-8 composer require-dev",
      "9-11 composer autoload",
      "12-12 block",
    ],
  ],
  [
    "tailwind.config.js",
    `module.exports = {
  content: ["./src/**/*.html"],
  theme: {
    extend: {
      content: { a: 1 },
    },
  },
  plugins: [],
};`,
    [
      "1-1 block",
      "2-2 tailwind content",
      "3-7 tailwind theme",
      "8-8 tailwind plugins",
      "9-9 block",
    ],
  ],
  [
    "database/migrations/2024_create_users.php",
    `<?php
return new class extends Migration {
    public function up(): void
    {
        Schema::create('users', function (Blueprint $table) {
            $table->id();
        });
        Schema::table('posts', function (Blueprint $table) {
            $table->foreignId('user_id');
        });
    }
};`,
    [
      "1-4 definition up",
      "5-7 migration users",
      "8-10 migration posts",
      "11-12 block up",
    ],
  ],
  [
    "app/Models/User.php",
    `<?php
class User extends Model
{
    /** What they wrote. */
    public function posts()
    {
        return $this->hasMany(Post::class);
    }

    public function name()
    {
        return $this->first;
    }
}`,
    ["1-3 definition User", "4-8 relation User.posts", "10-14 definition User.name"],
  ],
  [
    "app/Filament/Resources/UserResource.php",
    `<?php
class UserResource extends Resource
{
    public static function form(Form $form): Form
    {
        return $form->schema([]);
    }

    public static function helper() {}
}`,
    [
      "1-3 definition UserResource",
      "4-7 filament_resource UserResource.form",
      "9-10 definition UserResource.helper",
    ],
  ],
  [
    "views/shop.blade.php",
    `@section('title', 'Shop')
@section('content')
  <x-card title="a">
    @slot('footer')
      text
    @endslot
  </x-card>
@endsection
@push('scripts')
  text
@endpush
@stack('late')`,
    [
      "1-1 definition title",
      "2-2 blade_section content",
      "3-3 blade_component x-card",
      "4-6 blade_slot footer",
      "7-8 block x-card",
      "9-11 blade_push scripts",
      "12-12 blade_stack late",
    ],
  ],
];

for (const [path, text, expected] of ROWS) {
  Deno.test(`findSpecialUnits() cuts ${path} at its own units`, async () => {
    deepEqual(await chunks(path, text), expected);
  });
}

Deno.test("findSpecialUnits() leaves files of other names and kinds alone", async () => {
  deepEqual(await chunks("package.json", `{\n  "require": {}\n}`), ["1-3 definition require"]);
  deepEqual(await chunks("a.ts", `a.hasMany(b)`), ["1-1 block"]);
});
