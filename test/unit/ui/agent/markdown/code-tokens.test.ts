/** Code in colours: which parts are told apart, and that they are the code again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeParts, suffixOf } from "../../../../../src/ui/agent/markdown/code-tokens.ts";

const coloured = (code: string, language: string): (readonly [string, string])[] =>
  codeParts(code, language)
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => [kind, text]);

it.each([
  [
    "ts",
    'const a = "x"; // why',
    [
      ["keyword", "const"],
      ["string", '"x"'],
      ["comment", "// why"],
    ],
  ],
  [
    "js",
    "return `a b` + 1.5e3",
    [
      ["keyword", "return"],
      ["string", "`a b`"],
      ["number", "1.5e3"],
    ],
  ],
  [
    "tsx",
    "user.return = /* on */ 0xff",
    [
      ["comment", "/* on */"],
      ["number", "0xff"],
    ],
  ],
  [
    "py",
    'def f(): # a\n  return """b\n"""',
    [
      ["keyword", "def"],
      ["comment", "# a"],
      ["keyword", "return"],
      ["string", '"""b\n"""'],
    ],
  ],
  [
    "sh",
    "if [ a#b ]; then echo 'c'; fi",
    [
      ["keyword", "if"],
      ["keyword", "then"],
      ["keyword", "echo"],
      ["string", "'c'"],
      ["keyword", "fi"],
    ],
  ],
  [
    "sql",
    "SELECT 'it''s' -- one",
    [
      ["keyword", "SELECT"],
      ["string", "'it''s'"],
      ["comment", "-- one"],
    ],
  ],
  [
    "json",
    '{"a": [true, -2]}',
    [
      ["string", '"a"'],
      ["keyword", "true"],
      ["number", "2"],
    ],
  ],
  [
    "html",
    '<a href="b"><!-- c -->',
    [
      ["string", '"b"'],
      ["comment", "<!-- c -->"],
    ],
  ],
])("%s: %s", (language, code, parts) => {
  expect(coloured(code, language)).toEqual(parts);
});

describe("code", () => {
  it("of a language that is not known, and very long code, is plain", () => {
    expect(codeParts("const a", "klingon")).toEqual([{ kind: "plain", text: "const a" }]);
    const long = "const a = 1;\n".repeat(5_000);
    expect(codeParts(long, "ts")).toEqual([{ kind: "plain", text: long }]);
  });

  it("is the same whatever it is taken for", () => {
    const language = fc.constantFrom("ts", "py", "sh", "sql", "json", "html", "css", "rs", "yaml");
    const code = fc.string({ unit: fc.constantFrom(..."ab1 \n\"'`/*#-<>!\\{}") });
    fc.assert(
      fc.property(language, code, (name, text) => {
        expect(
          codeParts(text, name)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

it.each([
  ["src/main.ts", "ts"],
  ["Dockerfile", "Dockerfile"],
  ["a/b.test.PY", "PY"],
  [".env", "env"],
  ["", ""],
])("the ending of %s is %s", (path, ending) => {
  expect(suffixOf(path)).toBe(ending);
});
