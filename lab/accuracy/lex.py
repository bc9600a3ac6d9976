"""Says with Pygments, a lexer that shares nothing with our grammars, which bytes of source files are what.

Input: a line a file, `LANGUAGE<tab>PATH`. Output: a line a file, JSON: the path, and spans as
[line, first byte, end byte, class], 1-based lines, bytes from the begin of the line; class is
"comment", "string", "keyword" or "directive". A file without a lexer has no spans but a reason.
"""

import json
import sys

import pygments
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, String, Token

NAMES = {"C": "cpp", "C++": "cpp", "C#": "csharp", "TSX": "tsx", "TypeScript": "typescript"}


def to_class(kind):
    if kind in Comment.Preproc or kind in Comment.PreprocFile:
        return "directive"
    if kind in Comment or kind in String.Doc:
        return "comment"
    if kind in String.Interpol or kind in String.Affix:
        return None
    if kind in String:
        return "string"
    if kind in Keyword or kind in Token.Name.Builtin or kind in Token.Operator.Word:
        return "keyword"
    return None


def to_spans(text, lexer):
    line, column = 1, 0
    for kind, value in lexer.get_tokens(text):
        name = to_class(kind)
        parts = value.split("\n")
        for number, part in enumerate(parts):
            if number > 0:
                line, column = line + 1, 0
            size = len(part.encode("utf-8"))
            if name is not None and size > 0:
                yield [line, column, column + size, name]
            column += size


def main():
    if "--version" in sys.argv:
        print(pygments.__version__)
        return
    for row in sys.stdin.read().splitlines():
        language, path = row.split("\t")
        try:
            options = {"stripnl": False, "ensurenl": False, "stripall": False}
            lexer = get_lexer_by_name(NAMES.get(language, language.lower()), **options)
        except pygments.util.ClassNotFound:
            print(json.dumps({"path": path, "spans": [], "reason": "no lexer"}))
            continue
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            text = file.read()
        print(json.dumps({"path": path, "spans": list(to_spans(text, lexer))}))


main()
