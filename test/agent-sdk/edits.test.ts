/** The real SDK writes what the host foresees for the person who is asked. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { contentState } from "../../src/workspace/file-state.ts";
import { EDIT_CASES } from "../support/agent-sdk/edit-cases.ts";
import { callTools, say } from "../support/model-script.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { startProvider } from "./provider.ts";

it("writes what a person is shown of an edit", async () => {
  const provider = await startProvider();
  onTestFinished(provider.close);
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  const cases = EDIT_CASES.map((one, index) => ({
    ...one,
    id: `toolu_${index}`,
    path: join(host.dir, `${index}.txt`),
  }));
  const there = cases.flatMap(({ before, path }) => (before === undefined ? [] : [{ before, path }]));
  for (const { before, path } of there) writeFileSync(path, before);
  await provider.script("edits", [
    callTools(there.map(({ path }) => ({ name: "Read", input: { file_path: path } }))),
    callTools(cases.map(({ id, tool, path, input }) => ({ id, name: tool, input: { file_path: path, ...input } }))),
    say("Done."),
  ]);
  const foreseen = new Map<string, string>();
  const turn = { turnId: "edits", sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  await host.turn({ ...turn, begin: { type: "new", prompt: "[script:edits] go" } }, (question) => {
    const edit = question.type === "permission" && question.subject.type === "edit" ? question.subject : undefined;
    foreseen.set(question.toolUseId, edit?.stateAfter ?? "none");
    return { type: "allow" };
  });
  const bytesAt = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.from("no file"));
  const found = cases.map(({ about, path }) => ({ about, after: bytesAt(path).toString("utf8") }));
  expect(found).toEqual(cases.map(({ about, after }) => ({ about, after })));
  const states = await Promise.all(cases.map(({ path }) => contentState(bytesAt(path))));
  expect(cases.map(({ id }) => foreseen.get(id))).toEqual(states);
});
