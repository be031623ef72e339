/** A command of the agent, run as a person allows it: by a turn, and once. */

import { openDevClient } from "./dev-client.ts";
import type { DevServer } from "./dev-server.ts";
import { callTool, say } from "./model-script.ts";
import { scriptModel } from "./scripted-model.ts";

/** A command that has printed something. */
export type AgentCommand = {
  /** The first that it printed. */
  readonly firstOutput: string;
  /** How it ended for the run, once the run has: `completed`, `aborted`, `unknown` … and everything that the model was told about it. */
  readonly end: Promise<{ readonly status: unknown; readonly told: string }>;
};

/** Resolves with the command's first output. */
export const startAgentCommand = async (
  server: DevServer,
  modelUrl: string,
  command: string,
): Promise<AgentCommand> => {
  const model = await scriptModel(modelUrl, [callTool("run_shell", { command }), say("Done.")]);
  const client = await openDevClient(server);
  const turn = await client.startTurn(crypto.randomUUID(), model.prompt("Run it."));
  const first = Promise.withResolvers<string>();
  const decided = Promise.withResolvers<unknown>();
  const events = client.readToEnd(turn.events, (event) => {
    if (event.type === "permission_request") decided.resolve(client.decide(turn.runId, event.requestId, "allow_once"));
    if (event.type === "tool_output") first.resolve(String(event.text));
  });
  const end = events.then((all) => {
    const ended = all.find(({ type }) => type === "tool_end");
    return { status: ended?.status, told: String(ended?.output) };
  });
  // The command runs while the answer to the decision is still on its way.
  await decided.promise;
  return { firstOutput: await first.promise, end };
};
