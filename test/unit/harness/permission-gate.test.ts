/** Permission mode `allow-reads` as a table: what asks, which buttons there are, what a rule covers (api.md §4). */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PermissionSubject, RuleScope } from "../../../src/contract/permission.ts";
import { permissionAsk, permissionGate, runsUnasked } from "../../../src/harness/permission-gate.ts";
import { ruleCovers } from "../../../src/harness/standing-rule.ts";

const edit = (path: string): PermissionSubject => ({ type: "edit", path, diff: "+x" });
const command = (text: string, dir = "."): PermissionSubject => ({ type: "command", command: text, dir });
const action = (name: string): PermissionSubject => ({ type: "action", name, input: {} });

const anyCall = { mayBecomeRule: true, isCut: false };

/** What is offered for a subject, decision by decision. */
const offered = (subject: PermissionSubject, limits = anyCall) =>
  permissionAsk({ subject }, limits).options.map(({ decision }) => decision);

const withRule = ["allow_once", "allow_always", "reject"];
const withoutRule = ["allow_once", "reject"];

it.each([
  ["read", true],
  ["edit", false],
  ["execute", false],
] as const)("a call of kind %s runs unasked: %j", (kind, runs) => {
  expect(runsUnasked("allow-reads", kind)).toBe(runs);
});

describe("a request", () => {
  it.each<[string, PermissionSubject, RuleScope, string]>([
    [
      "an action",
      action("add-stock"),
      { type: "action", name: "add-stock" },
      "Always allow adding stocks in this chat",
    ],
    ["an edit", edit("src/ui/a.ts"), { type: "edit", dir: "src/ui" }, "Always allow edits in src/ui in this chat"],
    [
      "a command in the root",
      command("npm test"),
      { type: "command", command: "npm test", dir: "." },
      'Always allow running "npm test" in the workspace in this chat',
    ],
    [
      "a command in a folder",
      command("npm test", "packages/a"),
      { type: "command", command: "npm test", dir: "packages/a" },
      'Always allow running "npm test" in packages/a in this chat',
    ],
  ])("about %s words the rule in its second button", (_, subject, scope, label) => {
    const ask = permissionAsk({ subject }, anyCall);
    expect(ask).toEqual({
      subject,
      options: [
        { decision: "allow_once", label: "Allow once" },
        { decision: "allow_always", label },
        { decision: "reject", label: "Reject" },
      ],
      rule: { scope, label: label.replace("Always allow ", "") },
    });
  });

  it("offers no rule where the tool says so, and makes none", () => {
    const ask = permissionAsk({ subject: action("delete-stock") }, { mayBecomeRule: false, isCut: false });
    expect([ask.options.map(({ decision }) => decision), ask.rule]).toEqual([withoutRule, undefined]);
  });

  it("offers no rule for a subject that is shown in part only", () => {
    expect(offered(edit("src/a.ts"), { mayBecomeRule: true, isCut: true })).toEqual(withoutRule);
    expect(offered({ ...edit("src/a.ts"), truncated: true })).toEqual(withoutRule);
  });
});

describe("a rule for a command", () => {
  it.each(["npm test", "git status --short", "ls -la src", "node --test 'a b.js'", "make -j4 all"])(
    "is offered for %j",
    (text) => {
      expect(offered(command(text))).toEqual(withRule);
    },
  );

  it.each([
    "echo $HOME",
    "ls; rm -rf .",
    "ls && rm -rf .",
    "ls || rm -rf .",
    "ls | xargs rm",
    "sleep 9 &",
    "echo `rm a`",
    "echo $(rm a)",
    `echo \${x:-y}`,
    "echo hi > a.ts",
    "echo hi >> a.ts",
    "cat < a.ts",
    "diff <(ls a) <(ls b)",
    "ls\nrm a",
    "ls\rrm a",
    "ls \\\nrm a",
  ])("is not offered for %j", (text) => {
    expect(offered(command(text))).toEqual(withoutRule);
  });
});

describe("a rule for edits", () => {
  it.each(["src/a.ts", "docs/notes/today.md", "src/package.ts", "src/locks.ts", "src/a.env"])(
    "is offered for %s",
    (path) => {
      expect(offered(edit(path))).toEqual(withRule);
    },
  );

  it.each([
    ["the root", "a.ts"],
    ["the root", "package.json"],
    [".git", ".git/config"],
    [".git", ".git/hooks/pre-commit"],
    [".git of a folder", "vendor/.git/config"],
    ["a dotfile", "src/.env"],
    ["a folder of dotfiles", ".github/workflows/ci.yml"],
    ["a manifest", "packages/a/package.json"],
    ["a manifest in another case, one file with it on many disks", "packages/a/Package.JSON"],
    ["a manifest with a long s, which such a disk folds", "packages/a/package.j\u017fon"],
    ["a manifest with a character nobody sees", "packages/a/pack\u200bage.json"],
    ["a path that climbs", "src/../../a.ts"],
    ["a path that climbs to the root", "src/../a.ts"],
    ["a path with a dot", "./a.ts"],
  ])("is not offered in %s: %s", (_, path) => {
    expect(offered(edit(path))).toEqual(withoutRule);
  });

  it.each([
    ...[
      "package-lock.json",
      "npm-shrinkwrap.json",
      "pnpm-lock.yaml",
      "yarn.lock",
      "bun.lock",
      "bun.lockb",
      "deno.lock",
    ],
    ...["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock", "Gemfile.lock", "composer.lock", "go.sum"],
    ...["conda-lock.yml", "gems.locked", "Package.resolved", "Cartfile.resolved", "go.work.sum"],
    ...["pylock.toml", "pylock.dev.toml", "Manifest.toml", "Manifest-v1.11.toml", "cpanfile.snapshot"],
    ...["cabal.project.freeze", "lake-manifest.json"],
    ...["mix.lock", "pubspec.lock", "Podfile.lock", "flake.lock", "packages.lock.json", "gradle.lockfile"],
  ])("is not offered for the lockfile %s", (name) => {
    expect(offered(edit(`packages/a/${name}`))).toEqual(withoutRule);
  });
});

describe("a standing rule", () => {
  const belowSrc: RuleScope = { type: "edit", dir: "src" };
  const npmTest: RuleScope = { type: "command", command: "npm test", dir: "." };
  const addStock: RuleScope = { type: "action", name: "add-stock" };

  it.each<[string, RuleScope, PermissionSubject]>([
    ["a file of its folder", belowSrc, edit("src/a.ts")],
    ["a file further down", belowSrc, edit("src/ui/stocks/a.ts")],
    ["its command", npmTest, command("npm test")],
    ["its action, whatever the input", addStock, { type: "action", name: "add-stock", input: { symbol: "AAPL" } }],
  ])("covers %s", (_, scope, subject) => {
    expect(ruleCovers(scope, subject)).toBe(true);
  });

  it.each<[string, RuleScope, PermissionSubject]>([
    ["a folder whose name begins like its own", belowSrc, edit("src2/a.ts")],
    ["a file named like its folder", belowSrc, edit("src")],
    ["the folder above", { type: "edit", dir: "src/ui" }, edit("src/a.ts")],
    ["a folder of that name elsewhere", belowSrc, edit("lib/src/a.ts")],
    ["a path that climbs out", belowSrc, edit("src/../secrets/a.ts")],
    ["a path that climbs out to the root", belowSrc, edit("src/../a.ts")],
    ["a dotfile below it", belowSrc, edit("src/.env")],
    ["a repository below it", belowSrc, edit("src/vendor/.git/config")],
    ["a manifest below it", belowSrc, edit("src/package.json")],
    ["a lockfile below it", belowSrc, edit("src/yarn.lock")],
    ["the same command in another folder", npmTest, command("npm test", "packages/a")],
    ["a command that begins like its own", npmTest, command("npm test -- --watch")],
    ["its command with another behind it", npmTest, command("npm test; rm -rf .")],
    ["its command with other spaces", npmTest, command("npm  test")],
    ["another action", addStock, action("delete-stock")],
    ["a command named like its action", addStock, command("add-stock")],
  ])("does not cover %s", (_, scope, subject) => {
    expect(ruleCovers(scope, subject)).toBe(false);
  });

  it("made for a command that chains covers nothing, should one ever be stored", () => {
    expect(ruleCovers({ type: "command", command: "a; b", dir: "." }, command("a; b"))).toBe(false);
  });
});

it("asks for a command that a rule covers while it is not known whose log-ins have spoken", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gate = (areSpeakersConfirmed: () => Promise<boolean>) =>
    permissionGate({
      ...{ mode: "allow-reads", workspaceDir: "a", hasMoved: false, isPlanning: () => false, areSpeakersConfirmed },
      limits: { ownSourceDir: undefined, isScheduled: false, coveredCalls: () => 0 },
      findRules: async () => [{ scope: { type: "command", command: "npm test", dir: "." } }],
    }).isCovered(command("npm test"));
  expect(await gate(async () => true)).toBe(true);
  const unknown = gate(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await unknown).toBe(false);
});
