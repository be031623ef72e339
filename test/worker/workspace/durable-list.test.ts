/** A list or a search of a durable workspace holds up nobody: whatever its glob, and whether it is waited for or not. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace, workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { expectRefusal, NEVER, run, writeAll } from "../../support/workspace/workspace-under-test.ts";

const anOwner = () => OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
const open = () => openDurableWorkspace(env.WORKSPACES, anOwner());

/** A name that almost matches, in as many ways as there are. */
const NAME = "a".repeat(120);

it("is made by a glob, and by a .gitignore, that a backtracking engine never comes to an end with", async () => {
  const workspace = await open();
  const hostile = `${"a*".repeat(30)}b`;
  await writeAll(workspace, { ".gitignore": `${hostile}\n`, [NAME]: "" });
  expect(await workspace.list({ path: ".", limit: 10, glob: hostile })).toEqual({ entries: [], isCut: false });
  const { entries } = await workspace.list({ path: ".", limit: 10, glob: `${"a*".repeat(30)}` });
  expect(entries.map(({ path }) => path)).toEqual([NAME]);
});

it("is refused with a glob that is too much, by its name", async () => {
  const workspace = await open();
  await expectRefusal(workspace.list({ path: ".", limit: 10, glob: "*a".repeat(51) }), "invalid", /^The glob "\*a\*a/);
});

it("refuses a directory with more entries than are read in one piece, and a command deletes it", async () => {
  const owner = anOwner();
  const workspace = await openDurableWorkspace(env.WORKSPACES, owner);
  await writeAll(workspace, { "a.txt": "", "many/1": "" });
  await runInDurableObject(await workspaceObjectOf(env.WORKSPACES, owner), (_, { storage }) =>
    storage.sql.exec(
      `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n LIMIT 50000)
       INSERT INTO cf_workspace_default (path, parent_path, name, type) SELECT '/many/' || n, '/many', n, 'file' FROM n`,
    ),
  );
  await expectRefusal(workspace.list({ path: ".", limit: 10 }), "too_large", /^"many" has over 50,000 entries/);
  expect(await run(workspace, "ls many")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await run(workspace, "rm -r many && ls")).toMatchObject({ exitCode: 0, stdout: "a.txt\n" });
});

it("refuses a directory whose paths are more than is held in memory", async () => {
  const owner = anOwner();
  const workspace = await openDurableWorkspace(env.WORKSPACES, owner);
  await writeAll(workspace, { "a.txt": "", "long/1": "" });
  await runInDurableObject(await workspaceObjectOf(env.WORKSPACES, owner), (_, { storage }) =>
    storage.sql.exec(
      `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n LIMIT 5000)
       INSERT INTO cf_workspace_default (path, parent_path, name, type)
       SELECT '/long/' || name, '/long', name, 'file' FROM (SELECT n || hex(zeroblob(2000)) AS name FROM n)`,
    ),
  );
  await expectRefusal(
    workspace.list({ path: ".", limit: 10 }),
    "too_large",
    /^"long" has paths of over 16,000,000 characters together/,
  );
  expect(await run(workspace, "rm -r long && ls")).toMatchObject({ exitCode: 0, stdout: "a.txt\n" });
});

it("has no name over 255 bytes and no path over 4,095, whatever a command writes", async () => {
  const workspace = await open();
  const [longest, tooLong] = ["n".repeat(255), "ü".repeat(128)];
  await writeAll(workspace, { "a.txt": "a" });
  expect(await run(workspace, `cp a.txt ${longest}`)).toMatchObject({ exitCode: 0 });
  for (const command of ["echo a > %", "mkdir %", "mkdir -p b/%/c", "cp a.txt %", "mv a.txt %", "touch %"]) {
    const { exitCode, stderr } = await run(workspace, command.replace("%", tooLong));
    expect([command, exitCode === 0, stderr.includes("ENAMETOOLONG")]).toEqual([command, false, true]);
  }
  const deep = Array.from({ length: 17 }, () => longest).join("/");
  expect(await run(workspace, `mkdir -p ${deep}`)).toMatchObject({ exitCode: 1 });
  const { entries } = await workspace.list({ path: ".", limit: 10 });
  expect(entries.map(({ path }) => path)).toEqual(["a.txt", longest]);
});

it("is not begun when nobody waits for it", async () => {
  const workspace = await open();
  await writeAll(workspace, { "a.txt": "" });
  expect(await workspace.list({ path: ".", limit: 10 }, AbortSignal.abort())).toEqual({ entries: [], isCut: true });
});

it("ends, cut, as does a search, when nobody waits for it any more", async () => {
  const owner = anOwner();
  const workspace = await openDurableWorkspace(env.WORKSPACES, owner);
  await writeAll(workspace, { "many/1": "x" });
  await runInDurableObject(await workspaceObjectOf(env.WORKSPACES, owner), (_, { storage }) =>
    storage.sql.exec(
      `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n LIMIT 4999)
       INSERT INTO cf_workspace_default (path, parent_path, name, type, content)
       SELECT '/many/' || n, '/many', n, 'file', 'x' FROM n`,
    ),
  );
  const abort = new AbortController();
  const query = { path: ".", limit: 10_000 };
  const [listing, searching] = [
    workspace.list(query, abort.signal),
    workspace.search({ ...query, pattern: "x", context: 0 }, abort.signal),
  ];
  abort.abort();
  const [{ entries, ...list }, { lines, ...search }] = [await listing, await searching];
  expect([list, search]).toEqual([{ isCut: true }, { isCut: true }]);
  expect([entries.length < 5_000, lines.length < 5_000]).toEqual([true, true]);
  // Nobody aborts these: all of it is there.
  expect((await workspace.list(query)).entries).toHaveLength(5_000);
  expect(await workspace.search({ ...query, pattern: "x", context: 0 }, NEVER)).toMatchObject({ isCut: false });
});
