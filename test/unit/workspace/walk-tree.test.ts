/** The walk over a tree: its order, what it leaves out, and that it enters nothing it leaves out. */
import { expect, it } from "vitest";
import { globMatcher } from "../../../src/workspace/ignore-rules.ts";
import { type Child, type Tree, walkTree } from "../../../src/workspace/walk-tree.ts";

/** A tree of files, and the directories that were read of it. */
const treeOf = (files: Readonly<Record<string, string>>): Tree & { readonly entered: string[] } => {
  const entered: string[] = [];
  return {
    entered,
    children: async (directory) => {
      entered.push(directory);
      return childrenOf(Object.keys(files), directory);
    },
    text: async (path) => files[path],
    isGuarded: (path) => path.includes("guarded"),
  };
};

const childrenOf = (paths: readonly string[], directory: string): Child[] => {
  const prefix = directory === "." ? "" : `${directory}/`;
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const types = new Map(below.map((path) => [path.split("/")[0] ?? "", path.includes("/")]));
  return [...types].map(([name, isDirectory]) => ({ name, type: isDirectory ? "directory" : "file", size: 0 }));
};

const pathsOf = async (tree: Tree, directory = "."): Promise<string[]> => {
  const paths: string[] = [];
  for await (const { path } of walkTree(tree, directory)) paths.push(path);
  return paths;
};

it("goes by name, and into a directory in the place of its name", async () => {
  const tree = treeOf({ "b/1": "", "a.txt": "", "b.txt": "", "b/0/x": "", c: "" });
  expect(await pathsOf(tree)).toEqual(["a.txt", "b/0/x", "b/1", "b.txt", "c"]);
});

it("does not even enter what is ignored, guarded or .git", async () => {
  const tree = treeOf({ ".gitignore": "dist/", "dist/a": "", "guarded/b": "", ".git/c": "", "src/d": "" });
  expect(await pathsOf(tree)).toEqual([".gitignore", "src/d"]);
  expect(tree.entered).toEqual([".", "src"]);
});

it("lets the rules of a deeper directory win, there only", async () => {
  const tree = treeOf({ ".gitignore": "*.log", "a/.gitignore": "!x.log", "a/x.log": "", "b/x.log": "" });
  expect(await pathsOf(tree)).toEqual([".gitignore", "a/.gitignore", "a/x.log"]);
});

it("knows the rules above the directory where it starts", async () => {
  const tree = treeOf({ ".gitignore": "/a/b/x", "a/.gitignore": "y", "a/b/x": "", "a/b/y": "", "a/b/z": "" });
  expect(await pathsOf(tree, "a/b")).toEqual(["a/b/z"]);
});

it("continues when a directory no longer exists", async () => {
  const tree = { ...treeOf({ "a/x": "", b: "" }), text: async () => undefined };
  const gone: Tree = { ...tree, children: async (path) => (path === "a" ? undefined : tree.children(path)) };
  expect(await pathsOf(gone)).toEqual(["b"]);
});

it("takes a glob that begins like a negation or a comment for a name", () => {
  expect(globMatcher("!a", ".")("!a")).toBe(true);
  expect(globMatcher("#a", ".")("#a")).toBe(true);
  expect(globMatcher("!a", ".")("b")).toBe(false);
});

it("can be ended between ignored files, and reports before each what looking at it will cost", async () => {
  const rules = "*.log\n";
  const names = Array.from({ length: 50 }, (_, index) => `${index + 100}.log`);
  const tree = treeOf({ ".gitignore": rules, ...Object.fromEntries(names.map((name) => [name, ""])), "z/a": "" });
  const asked: number[] = [];
  const goesOn = async (rulesLength: number) => {
    asked.push(rulesLength);
    return asked.length < 5;
  };
  expect(await pathsOf({ ...tree, goesOn })).toEqual([".gitignore"]);
  expect(asked).toEqual(Array(5).fill(rules.length));
  expect(tree.entered).toEqual(["."]);
});
