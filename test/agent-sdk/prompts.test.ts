/** A prompt is text for the real SDK too: it names no file to read behind the gate, and no command of the SDK's own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { say } from "../support/model-script.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const Messages = z.array(z.object({ content: Content }));

/** The texts of a message. */
const textsOf = (content: z.infer<typeof Content>): string[] =>
  typeof content === "string" ? [content] : content.flatMap(({ text }) => text ?? []);

it.each([
  ["a file", "@notes.txt says what?"],
  ["a guarded file", "@.env"],
  ["a command that clears the session", "/clear"],
  ["a command that summarizes it", "/compact"],
  ["a command of the shell", "!cat notes.txt"],
  ["a note for later", "# remember this"],
])("a prompt that looks like %s reaches the provider as it is, and reads nothing", async (_, prompt) => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  for (const name of ["notes.txt", ".env"]) writeFileSync(join(host.dir, name), "needle\n");
  const key = crypto.randomUUID();
  await provider.script(key, [say("First."), say("Second.")]);
  const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  await host.turn({ ...turn, turnId: `${key}1`, begin: { type: "new", prompt: `[script:${key}] go` } });
  const lines = await host.turn({ ...turn, turnId: `${key}2`, begin: { type: "message", prompt } });
  expect(lines.at(-1)).toEqual({ type: "ended", end: "result", message: "" });
  const requests = await provider.requests(key);
  expect(requests).toHaveLength(2);
  const messages = Messages.parse(requests[1]?.body.messages);
  expect(messages.flatMap(({ content }) => textsOf(content))).toContain(prompt);
  expect(JSON.stringify(messages)).not.toContain("needle");
});
