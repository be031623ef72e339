/** A person whose agent changes things, and who undoes it. */
import { inject } from "vitest";
import type { z } from "zod";
import type { ActionInput, ActionName, ActionOutput } from "../../../src/contract/action.ts";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { AddStockOutput } from "../../../src/contract/stocks/add-stock.ts";
import { UndoAnswer, type UndoRequest } from "../../../src/contract/undo/undo.ts";
import type { Reply } from "../model-server/reply.ts";
import { scriptModel } from "../scripted-model.ts";
import { answerOf } from "./answer.ts";
import { runClient } from "./run-client.ts";
import { somebody } from "./somebody.ts";

/** Each action's own output schema, under a type that keeps name and output together. */
const CONTRACTS: { readonly [Name in ActionName]: { readonly output: z.ZodType<ActionOutput<Name>> } } =
  ACTION_CONTRACTS;

const [One] = AddStockOutput.options;

/** Sends an undo of a run, whatever the answer is. */
export const postUndo = async (
  client: Pick<ReturnType<typeof somebody>, "post">,
  runId: string,
  body: Partial<UndoRequest> = {},
) => answerOf(await client.post(`/_framework/runs/${runId}/undo`, body));

/** Such a person; `run` has the agent do what the model's replies say, all of it allowed. */
export const personWithRun = async () => {
  const client = somebody();
  let runId = "";
  const act = async <Name extends ActionName>(name: Name, input: ActionInput<Name>): Promise<ActionOutput<Name>> =>
    CONTRACTS[name].output.parse(await client.action(name, input));
  const items = async (deleted: boolean) => (await act("list-stocks", { deleted, sort: "symbol", limit: 200 })).items;
  const post = (body: Partial<UndoRequest> = {}) => postUndo(client, runId, body);
  return {
    client,
    act,
    add: async (fields: ActionInput<"add-stock">) => One.parse(await client.action("add-stock", fields)).stock,
    list: () => items(false),
    trash: () => items(true),
    run: async (replies: readonly Reply[], threadId: string = crypto.randomUUID()) => {
      const model = await scriptModel(inject("modelUrl"), replies);
      const turn = await client.startTurn(threadId, model.prompt("Do it"));
      runId = turn.runId;
      await client.followAllowing(runId);
      return runId;
    },
    post,
    /** An undo that has to be answered. */
    undo: async (body: Partial<UndoRequest> = {}) => {
      const { status, body: answer } = await post(body);
      if (status !== 200) throw new Error(JSON.stringify(answer));
      return UndoAnswer.parse(answer);
    },
  };
};

/** A run of somebody's, with all of it allowed and then undone, once what is to come between has. */
export const runAndUndo = async (email: string, replies: readonly Reply[], between?: () => Promise<void>) => {
  const client = runClient(email);
  const model = await scriptModel(inject("modelUrl"), replies);
  const { runId } = await client.startTurn(crypto.randomUUID(), model.prompt("Do it"));
  await client.followAllowing(runId);
  await between?.();
  const { status, body } = await postUndo(client, runId);
  if (status !== 200) throw new Error(JSON.stringify(body));
};
