/** Sessions of a harness that is no longer served: their chats are deleted all the same, and so is what the host keeps of them. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startWorkspaceProcess } from "../../../src/cli/dev/workspace-process.ts";
import { hostHeaders } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

it("deletes a session's files in a start without that harness, and says of its other calls how to serve it", async () => {
  const parent = mkdtempSync(join(tmpdir(), "tally-left-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [dir, stateDir] = [join(parent, "root"), join(parent, "state")];
  const sessionId = crypto.randomUUID();
  const file = join(stateDir, "harness/home/.claude/projects/-root", `${sessionId}.jsonl`);
  mkdirSync(join(file, ".."), { recursive: true });
  mkdirSync(dir);
  writeFileSync(file, "what was said");
  const { url, token, close } = await startWorkspaceProcess(dir, stateDir);
  onTestFinished(close);
  const call = (name: string, body: object) =>
    nodeFetch(`${url}/harness/${name}`, {
      ...{ method: "POST", headers: hostHeaders(token), body: JSON.stringify(body) },
    });
  expect((await call("delete-sessions", { sessionIds: [sessionId, crypto.randomUUID()] })).status).toBe(200);
  expect(existsSync(file)).toBe(false);
  expect((await call("delete-sessions", { sessionIds: ["../root"] })).status).toBe(422);
  const refused = await call("read-session", { sessionId, offset: 0 });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("start it with --harness agent-sdk");
});
