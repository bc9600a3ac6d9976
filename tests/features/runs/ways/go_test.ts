/** Go, on a real module: each test alone, with what it ran. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { GO_WAY } from "../../../../src/features/runs/ways/go.ts";
import { testNeeding } from "../../../support/needs.ts";
import { needProgram, recordProject, showTests } from "./apart_run.ts";

const GO = needProgram("go", "version");
const FILES = {
  "go.mod": "module example.com/shop\n\ngo 1.20\n",
  "cart/cart.go": `package cart

import "example.com/shop/price"

var handlers = map[string]func(int) int{
	"twice": func(n int) int {
		return 2 * n
	},
}

var start = setUp(1)

func setUp(n int) int { return price.Round(n) }

// Cart holds.
type Cart struct{ n int }

// Add adds.
func (c *Cart) Add(
	n int,
) int {
	if n < 0 {
		return price.Round(n)
	}
	c.n += n
	return c.n
}

func (c *Cart) Apply(name string) int { return handlers[name](c.n) }

func never() int { return 0 }
`,
  "cart/cart_test.go": `package cart

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

func TestAdd(t *testing.T) {
	c := &Cart{}
	t.Run("part", func(t *testing.T) { c.Add(1) })
}

func TestRound(t *testing.T) {
	if new(Cart).Add(-1) != 7 {
		t.Fatal("wrong")
	}
}

func TestÜber(t *testing.T) { t.Skip("not yet") }

func TestDies(t *testing.T) { new(Cart).Add(1); os.Exit(3) }

func ExampleCart() {
	fmt.Println(new(Cart).Apply("twice"))
	// Output: 0
}

func BenchmarkAdd(b *testing.B) {}
`,
  "price/price.go": `package price

func Round(n int) int {
	return n
}
`,
};

testNeeding(
  [GO],
  "a record of go test names what each test ran, and keeps apart what runs while the program starts",
  async () => {
    const recording = await recordProject(GO_WAY, FILES, ["go", "test", "./..."]);
    const name = (test: string) => `example.com/shop/cart.${test}`;
    const file = "cart/cart_test.go";
    deepEqual(showTests(recording), {
      [`${name("TestAdd")} passed ${file}`]: "cart/cart.go:21 cart/cart.go:25",
      // What runs at the start counts as run by a test that runs it again.
      [`${name("TestRound")} failed ${file}`]: "cart/cart.go:21 cart/cart.go:22 price/price.go:3",
      [`${name("TestÜber")} skipped ${file}`]: "",
      [`${name("TestDies")} failed ${file}`]: "",
      [`${name("ExampleCart")} passed ${file}`]: "cart/cart.go:29 cart/cart.go:6",
      loaded: "cart/cart.go:13 price/price.go:3",
    });
    deepEqual([recording.isWhole, recording.runner], [false, "go test"]);
    deepEqual(recording.notes, [`${name("TestDies")} ended without its counts.`]);
  },
);

testNeeding([GO], "a package that does not build is left out, with its first error", async () => {
  const recording = await recordProject(GO_WAY, {
    ...FILES,
    "price/price_test.go":
      'package price\n\nimport "testing"\n\nfunc TestA(t *testing.T) { missing() }\n',
  }, ["go", "test", "./price"]);
  deepEqual([recording.tests.length, recording.isWhole], [0, false]);
  match(
    recording.notes[0] ?? "",
    /example\.com\/shop\/price could not be built\. \S*price_test\.go:5:\d+: undefined/,
  );
});
