/** The person's other hand: the same API as the page's, called from Node, to set a scene and to see what came of it. */
import { z } from "zod";
import {
  ACTION_CONTRACTS,
  type ActionInput,
  type ActionName,
  type ActionOutput,
} from "../../../src/contract/action.ts";
import type { PermissionDecision } from "../../../src/contract/permission.ts";
import { AddStockOutput } from "../../../src/contract/stocks/add-stock.ts";
import type { Stock } from "../../../src/contract/stocks/stock.ts";
import { ThreadView } from "../../../src/contract/thread.ts";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { cookieHeader, type Person } from "./person.ts";
import { type RunEvent, watchRun } from "./run-watch.ts";
import { type Draft, sampleStocks } from "./stock-samples.ts";

/** Each action's own output schema, under a type that keeps name and output together. */
const CONTRACTS: { readonly [Name in ActionName]: { readonly output: z.ZodType<ActionOutput<Name>> } } =
  ACTION_CONTRACTS;

const Threads = z.object({ threads: z.array(ThreadView), nextCursor: z.string().nullable() });
const [, Several] = AddStockOutput.options;

/** Most items of one `add-stock`. */
const BATCH_SIZE = 100;

/** A client of the site at `url`, in a person's name or, without one, in that of its one identity. Every call throws unless it is answered 200. */
export const tallyClient = (url: string, person?: Person) => {
  const signed = person === undefined ? {} : cookieHeader(person);
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { "content-type": "application/json", ...signed };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };

  /** Calls an action; its answer has passed the action's own output schema. */
  const act = async <Name extends ActionName>(name: Name, input: ActionInput<Name>): Promise<ActionOutput<Name>> =>
    CONTRACTS[name].output.parse(await send("POST", `/_framework/actions/${name}`, input));

  const addBatch = async (items: readonly Draft[]): Promise<Stock[]> => {
    const { results } = Several.parse(await send("POST", "/_framework/actions/add-stock", { items }));
    return results.map(({ stock, error, index }) => {
      if (stock === undefined) throw new Error(`${items[index]?.symbol}: ${error}`);
      return stock;
    });
  };

  /** Adds the first n sample stocks, or these; their records in the same order. One from the trash keeps its old id. */
  const seedStocks = async (stocks: number | readonly Draft[]): Promise<Stock[]> => {
    const drafts = typeof stocks === "number" ? sampleStocks(stocks) : stocks;
    const added: Stock[] = [];
    for (let start = 0; start < drafts.length; start += BATCH_SIZE) {
      added.push(...(await addBatch(drafts.slice(start, start + BATCH_SIZE))));
    }
    return added;
  };

  /** Threads of the first page, newest first. */
  const listThreads = async (): Promise<ThreadView[]> =>
    Threads.parse(await send("GET", "/_framework/threads")).threads;

  const startTurn = async (threadId: string, prompt: string): Promise<TurnStartResponse> =>
    TurnStartResponse.parse(await send("POST", "/api/agent/turn", { threadId, prompt }));

  /** The events up to the first of a kind, which is the last of them; `run_end` for all. */
  const eventsUntil = (turn: { readonly events: string }, type: string): Promise<RunEvent[]> =>
    watchRun(`${url}${turn.events}`, (event) => event.type === type, signed);

  return {
    url,
    send,
    act,
    seedStocks,
    listThreads,
    startTurn,
    eventsUntil,
    /** Waits for the run's first permission request and decides it, as a person on another device. */
    answerPermission: async (
      turn: TurnStartResponse,
      decision: PermissionDecision,
      message?: string,
    ): Promise<void> => {
      const requestId = z.string().parse((await eventsUntil(turn, "permission_request")).at(-1)?.requestId);
      const body = { decision, ...(message === undefined ? {} : { message }) };
      await send("POST", `/_framework/runs/${turn.runId}/permissions/${requestId}`, body);
    },
  };
};
