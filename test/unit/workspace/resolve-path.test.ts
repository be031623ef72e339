/** Turns a path from the model into one below the root. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePath, showPath } from "../../../src/workspace/resolve-path.ts";
import { WorkspaceError } from "../../../src/workspace/workspace.ts";

describe("resolvePath", () => {
  it.each([
    ["src/app.ts", "src/app.ts"],
    ["./src//app.ts", "src/app.ts"],
    ["src/./app.ts/", "src/app.ts"],
    ["src/../notes.md", "notes.md"],
    ["a/b/../../c", "c"],
    [".", "."],
    ["./", "."],
    ["a/..", "."],
    ["...", "..."],
    ["..a/b..", "..a/b.."],
    ["a\\..\\b", "a\\..\\b"],
    ["~/x", "~/x"],
    ["C:/x", "C:/x"],
    [`${"a".repeat(255)}`, `${"a".repeat(255)}`],
  ])("takes %s as %s", (given, resolved) => {
    expect(resolvePath(given)).toBe(resolved);
  });

  it.each(["..", "../a", "a/../..", "a/../../a", "./../a", "/", "/a", "/../a", "//a"])(
    "refuses %s as outside",
    (path) => {
      expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: "outside" }));
    },
  );

  it.each([
    ["the empty path", ""],
    ["NUL", "a\0b"],
    ["half a surrogate pair", "a/\udc00"],
    ["a name of 256 bytes", "a".repeat(256)],
    ["a name of 256 bytes in fewer characters", "é".repeat(128)],
    ["a path of 4,096 bytes", "a/".repeat(2_048)],
  ])("refuses %s as invalid", (_, path) => {
    expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  it("returns nothing that leaves the root, and returns its own results unchanged", () => {
    const name = fc.oneof(fc.constantFrom(".", "..", "", "a", "..."), fc.string({ maxLength: 5 }));
    const path = fc.array(name, { maxLength: 8 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(path, (given) => {
        const resolved = resolvedOrRefused(given);
        expect(resolved.startsWith("/")).toBe(false);
        expect(resolved.split("/")).not.toContain("..");
        expect(resolvedOrRefused(resolved)).toBe(resolved);
      }),
    );
  });
});

/** A refusal counts as the root: what matters is what gets through. */
const resolvedOrRefused = (given: string): string => {
  try {
    return resolvePath(given);
  } catch (error) {
    expect(error).toBeInstanceOf(WorkspaceError);
    return ".";
  }
};

describe("showPath", () => {
  it("shows control characters escaped and cuts what is long", () => {
    expect(showPath("a\n\0b")).toBe('"a\\n\\u0000b"');
    expect(showPath("a".repeat(500))).toBe(`"${"a".repeat(100)}…"`);
  });
});
