/** A person whose durable workspace holds files, and the outcome of an agent's work on them. */
import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import type { Reply } from "../model-server/reply.ts";
import { scriptModel } from "../scripted-model.ts";
import { listed, readText, writeAll } from "../workspace/workspace-under-test.ts";
import { ofType, theOnly } from "./of-type.ts";
import type { ReceivedEvent } from "./run-client.ts";
import { somebody } from "./somebody.ts";

/** A new person with these files, path to text. */
const personWithFiles = async (files: Readonly<Record<string, string>> = {}) => {
  const client = somebody();
  const workspace = await openDurableWorkspace(env.WORKSPACES, OwnerEmail.parse(client.email));
  await writeAll(workspace, files);
  return {
    client,
    workspace,
    textOf: (path: string) => readText(workspace, path),
    files: () => listed(workspace),
  };
};

/** A turn of such a person with a scripted model, just started. */
export const turnOnFiles = async (
  files: Readonly<Record<string, string>>,
  replies: readonly Reply[],
  threadId: string = crypto.randomUUID(),
) => {
  const person = await personWithFiles(files);
  const model = await scriptModel(inject("modelUrl"), replies);
  const turn = await person.client.startTurn(threadId, model.prompt("Work on the files"));
  const { client } = person;
  /** The request that is open once the run waits. Cursor: the last event seen before. */
  const asked = async (after = 0) =>
    theOnly(await client.eventsUntil(`${turn.events}?after=${after}`, "permission_request"), "permission_request");
  return {
    ...person,
    model,
    turn,
    asked,
    decide: (request: { requestId: string }, decision: string, message?: string) =>
      client.decide(turn.runId, request.requestId, { decision, ...(message === undefined ? {} : { message }) }),
    toEnd: () => client.events(turn.events),
    /** All events, whatever is asked being allowed once. */
    allowed: () => client.followAllowing(turn.runId),
  };
};

/** How the calls of a run ended, in the order of their ends: status and output. */
export const endsOf = (events: readonly ReceivedEvent[]): [string, string][] =>
  ofType(events, "tool_end").map(({ status, output }) => [status, output]);
