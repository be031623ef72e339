/** Edits through links: asked for and made as changes of the real file, or not at all (decision 0041). */
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { permissionAsk } from "../../../../src/harness/permission-gate.ts";
import { ruleCovers } from "../../../../src/harness/standing-rule.ts";
import type { PreparedCall, Proposal, ToolContext } from "../../../../src/harness/tools/tool.ts";
import { workspaceTools } from "../../../../src/harness/tools/workspace-tools.ts";
import { type HostWorkspaceUnderTest, openHostWorkspace } from "../../../support/host-workspace.ts";

let host: HostWorkspaceUnderTest;
beforeEach(async () => {
  host = await openHostWorkspace();
  await mkdir(join(host.dir, "src"));
  writeFileSync(join(host.dir, "package.json"), "old\n");
  symlinkSync("../package.json", join(host.dir, "src/x"));
});
afterEach(() => host.close());

const prepare = (name: string, input: Readonly<Record<string, unknown>>): PreparedCall => {
  const tool = workspaceTools(async () => host.workspace).find((one) => one.name === name);
  const prepared = tool?.prepare(input) ?? { problem: `no tool ${name}` };
  if ("problem" in prepared) throw new Error(prepared.problem);
  return prepared;
};

const ctx = (more: Partial<ToolContext> = {}): ToolContext => ({
  ...{ callKey: crypto.randomUUID(), signal: new AbortController().signal, output: () => undefined },
  ...more,
});

const EDIT = { path: "src/x", oldText: "old", newText: "new" };
const BELOW_SRC = { type: "edit", dir: "src" } as const;

/** A call with what was shown of it. */
const proposed = async (call: PreparedCall): Promise<{ call: PreparedCall; shown: Proposal }> => {
  const shown = await call.propose?.();
  if (shown === undefined) throw new Error("Nothing was shown.");
  return { call, shown };
};

const read = (path: string): string => readFileSync(join(host.dir, path), "utf8");

const STALE = { output: expect.stringMatching(/^src\/x has changed since/), isError: true };

describe("an edit through a link", () => {
  it("is shown as one of the real file, so that no rule for the link's directory covers it", async () => {
    const { shown } = await proposed(prepare("edit_file", EDIT));
    const diff = "--- a/package.json\n+++ b/package.json\n@@ -1,1 +1,1 @@\n-old\n+new\n";
    expect(shown.subject).toEqual({ type: "edit", path: "package.json", diff });
    expect(ruleCovers(BELOW_SRC, shown.subject)).toBe(false);
    expect(permissionAsk(shown, { mayBecomeRule: true, isCut: false }).rule).toBeUndefined();
  });

  it("is made in the real file; the link stays", async () => {
    const { call, shown } = await proposed(prepare("edit_file", EDIT));
    expect(await call.run(ctx({ shown }))).toMatchObject({ isError: false, fileChange: { path: "package.json" } });
    expect(read("package.json")).toBe("new\n");
    expect(lstatSync(join(host.dir, "src/x")).isSymbolicLink()).toBe(true);
  });

  it("is refused when the link leads to another file by then, even to one of the same content", async () => {
    const { call, shown } = await proposed(prepare("edit_file", EDIT));
    writeFileSync(join(host.dir, "other.json"), "old\n");
    rmSync(join(host.dir, "src/x"));
    symlinkSync("../other.json", join(host.dir, "src/x"));
    expect(await call.run(ctx({ shown }))).toEqual(STALE);
    expect([read("package.json"), read("other.json")]).toEqual(["old\n", "old\n"]);
  });

  it("is refused when a plain file of a directory with a rule has become a link", async () => {
    writeFileSync(join(host.dir, "src/app.ts"), "old\n");
    const { call, shown } = await proposed(prepare("edit_file", { ...EDIT, path: "src/app.ts" }));
    expect(ruleCovers(BELOW_SRC, shown.subject)).toBe(true);
    rmSync(join(host.dir, "src/app.ts"));
    symlinkSync("../package.json", join(host.dir, "src/app.ts"));
    expect(await call.run(ctx({ shown }))).toMatchObject({ isError: true });
    expect(read("package.json")).toBe("old\n");
  });

  it("after a crash is not taken for made when its path has become a link", async () => {
    const { call, shown } = await proposed(prepare("edit_file", EDIT));
    writeFileSync(join(host.dir, "other.json"), "new\n");
    rmSync(join(host.dir, "package.json"));
    symlinkSync("other.json", join(host.dir, "package.json"));
    expect(await call.recover?.(ctx({ shown }))).toBe("unknown");
  });
});

describe("a new file below a link to a directory", () => {
  it("is shown and made where it really is", async () => {
    symlinkSync("..", join(host.dir, "src/root"));
    const call = prepare("write_file", { path: "src/root/package-lock.json", content: "{}" });
    const { shown } = await proposed(call);
    expect(shown.subject).toMatchObject({ path: "package-lock.json" });
    expect(await call.run(ctx({ shown }))).toMatchObject({ output: "Created package-lock.json." });
    expect(read("package-lock.json")).toBe("{}");
  });
});

describe("a deletion through a link", () => {
  it("deletes the file that was shown", async () => {
    const { call, shown } = await proposed(prepare("delete_file", { path: "src/x" }));
    expect(shown.subject).toMatchObject({ path: "package.json" });
    expect(await call.run(ctx({ shown }))).toMatchObject({ output: "Deleted package.json." });
    expect(existsSync(join(host.dir, "package.json"))).toBe(false);
  });
});

describe("a command that a crash left running, in a run that is being stopped", () => {
  it("is ended, and is unknown with what it had printed", async () => {
    const call = prepare("run_shell", { command: "echo begun; sleep 60" });
    const callKey = crypto.randomUUID();
    const begun = Promise.withResolvers<void>();
    const lost = call.run(ctx({ callKey, output: () => begun.resolve() }));
    await begun.promise;
    const ended = await call.recover?.(ctx({ callKey, signal: AbortSignal.abort() }));
    expect(ended).toMatchObject({ isUnknown: true, output: expect.stringMatching(/^Stopped: .*\nstdout:\nbegun$/) });
    expect(await lost).toEqual(ended);
  });

  it("is ended as well when the run is stopped while its end is waited for", async () => {
    const call = prepare("run_shell", { command: "echo begun; sleep 60" });
    const callKey = crypto.randomUUID();
    const begun = Promise.withResolvers<void>();
    const lost = call.run(ctx({ callKey, output: () => begun.resolve() }));
    await begun.promise;
    const stop = new AbortController();
    const find = vi.spyOn(host.workspace, "find");
    const waiting = call.recover?.(ctx({ callKey, signal: stop.signal }));
    await expect.poll(() => find).toHaveBeenCalledOnce();
    stop.abort();
    expect(await waiting).toMatchObject({ isUnknown: true, output: expect.stringMatching(/^Stopped: /) });
    await lost;
  });
});
