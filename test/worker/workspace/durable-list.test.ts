/** A list of a durable workspace holds up nobody: whatever its glob, and whether it is waited for or not. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import { expectRefusal, writeAll } from "../../support/workspace/workspace-under-test.ts";

const open = () => openDurableWorkspace(env.WORKSPACES, OwnerEmail.parse(`${crypto.randomUUID()}@example.com`));

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

it("ends, cut, when nobody waits for it any more", async () => {
  const workspace = await open();
  await writeAll(workspace, { "a.txt": "" });
  expect(await workspace.list({ path: ".", limit: 10 }, AbortSignal.abort())).toEqual({ entries: [], isCut: true });
});
