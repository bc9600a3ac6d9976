/** Projects in Go. */
import type { MatrixProject } from "../project.ts";

const GO = ["go", "test", "-v", "./..."];
const MOD = "module example.com/m\n\ngo 1.20\n";

const RATES = `package rates

// Convert changes cents by a rate in thousandths.
func Convert(cents, rate int) int {
	return cents * rate / 1000
}
`;
const RATES_TEST = `package rates

import "testing"

func TestConvert(t *testing.T) {
	if got := Convert(200, 1500); got != 300 {
		t.Errorf("got %d", got)
	}
}
`;
const ROUND = `${RATES}
// Round gives whole hundreds, halves upwards.
func Round(cents int) int {
	if cents < 0 {
		return -Round(-cents)
	}
	return (cents + 50) / 100 * 100
}
`;
const ROUND_TEST = `${RATES_TEST}
func TestRound(t *testing.T) {
	for given, want := range map[int]int{149: 100, 150: 200, 100: 100, 0: 0, -149: -100, -150: -200} {
		if got := Round(given); got != want {
			t.Errorf("Round(%d) = %d", given, got)
		}
	}
}
`;
const goTest = (body: string) => `${RATES_TEST}\n${body}`;

/** Rates of currencies. */
export const RATES_PROJECT: MatrixProject = {
  name: "rates",
  language: "Go",
  special: "",
  run: GO,
  needs: "go",
  files: { "go.mod": MOD, "rates/rates.go": RATES, "rates/rates_test.go": RATES_TEST },
  changes: [
    {
      kind: "right",
      what: "rounds",
      files: { "rates/rates.go": ROUND, "rates/rates_test.go": ROUND_TEST },
    },
    {
      kind: "hollow",
      what: "gives its argument back",
      files: {
        "rates/rates.go": `${RATES}\nfunc Round(cents int) int {\n\treturn cents\n}\n`,
        "rates/rates_test.go": goTest(
          'func TestRound(t *testing.T) {\n\tif Round(100) != 100 {\n\t\tt.Error("not 100")\n\t}\n}\n',
        ),
      },
    },
    {
      kind: "half",
      what: "wrong below zero",
      files: {
        "rates/rates.go": ROUND.replace("return -Round(-cents)", "return Round(-cents)"),
        "rates/rates_test.go": ROUND_TEST,
      },
    },
    {
      kind: "bound",
      what: "halves downwards",
      files: {
        "rates/rates.go": ROUND.replace("+ 50", "+ 49"),
        "rates/rates_test.go": goTest(
          'func TestRound(t *testing.T) {\n\tif Round(149) != 100 {\n\t\tt.Error("not 100")\n\t}\n}\n',
        ),
      },
    },
    {
      kind: "overfit",
      what: "answers the input of the test",
      files: {
        "rates/rates.go": `${RATES}
func Round(cents int) int {
	if cents == 149 {
		return 100
	}
	return 0
}
`,
        "rates/rates_test.go": goTest(
          'func TestRound(t *testing.T) {\n\tif Round(149) != 100 {\n\t\tt.Error("not 100")\n\t}\n}\n',
        ),
      },
    },
    {
      kind: "bent",
      what: "leaves the rate out",
      files: {
        "rates/rates.go": RATES.replace("cents * rate / 1000", "cents"),
        "rates/rates_test.go": RATES_TEST.replace("got != 300", "got != 200"),
      },
    },
    {
      kind: "weakened",
      what: "the test is skipped",
      files: {
        "rates/rates.go": RATES.replace("/ 1000", "/ 100"),
        "rates/rates_test.go": RATES_TEST.replace("\tif got", '\tt.Skip("later")\n\tif got'),
      },
    },
  ],
};

const STACK = `package stack

// Stack gives back last what came first.
type Stack struct{ items []string }

// Push adds an item.
func (s *Stack) Push(item string) { s.items = append(s.items, item) }

// Pop takes the last item.
func (s *Stack) Pop() (string, bool) {
	if len(s.items) == 0 {
		return "", false
	}
	last := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return last, true
}
`;
const STACK_TEST = `package stack

import "testing"

func TestPop(t *testing.T) {
	s := Stack{}
	s.Push("a")
	s.Push("b")
	for _, want := range []string{"b", "a"} {
		if got, ok := s.Pop(); got != want || !ok {
			t.Errorf("got %q", got)
		}
	}
	if _, ok := s.Pop(); ok {
		t.Error("not empty")
	}
}
`;
const UNDO = `package undo

import "example.com/m/stack"

// Last gives the last word.
func Last(words ...string) string {
	s := stack.Stack{}
	for _, word := range words {
		s.Push(word)
	}
	last, _ := s.Pop()
	return last
}
`;
const DEPTH = `${STACK}
// Depth says how many items there are.
func (s *Stack) Depth() int { return len(s.items) }
`;

/** A stack, with a package that uses it and has no test. */
export const STACK_PROJECT: MatrixProject = {
  name: "stack",
  language: "Go",
  special: "",
  run: GO,
  needs: "go",
  files: {
    "go.mod": MOD,
    "stack/stack.go": STACK,
    "stack/stack_test.go": STACK_TEST,
    "undo/undo.go": UNDO,
  },
  changes: [
    {
      kind: "right",
      what: "says its depth",
      files: {
        "stack/stack.go": DEPTH,
        "stack/stack_test.go": `${STACK_TEST}
func TestDepth(t *testing.T) {
	s := Stack{}
	s.Push("a")
	s.Push("b")
	if s.Depth() != 2 {
		t.Error(s.Depth())
	}
}
`,
      },
    },
    {
      kind: "hollow",
      what: "the depth of an empty one alone is tested",
      files: {
        "stack/stack.go": `${STACK}\nfunc (s *Stack) Depth() int { return 0 }\n`,
        "stack/stack_test.go": `${STACK_TEST}
func TestDepth(t *testing.T) {
	s := Stack{}
	if s.Depth() != 0 {
		t.Error(s.Depth())
	}
}
`,
      },
    },
    {
      kind: "dependent",
      what: "Pop gives one result, and a package without tests uses two",
      files: {
        "stack/stack.go": STACK.replace("(string, bool)", "string").replace('"", false', '""')
          .replace("last, true", "last"),
        "stack/stack_test.go": STACK_TEST.replace(
          "got, ok := s.Pop(); got != want || !ok",
          "got := s.Pop(); got != want",
        )
          .replace("_, ok := s.Pop(); ok", 's.Pop() != ""'),
      },
    },
    {
      kind: "removed",
      what: "Pop takes the first, and its test is gone",
      files: {
        "stack/stack.go": STACK.replace("s.items[len(s.items)-1]\n", "s.items[0]\n"),
        "stack/stack_test.go":
          'package stack\n\nimport "testing"\n\nfunc TestPush(t *testing.T) {\n\ts := Stack{}\n\ts.Push("a")\n\tif got, _ := s.Pop(); got != "a" {\n\t\tt.Error(got)\n\t}\n}\n',
      },
    },
  ],
};
