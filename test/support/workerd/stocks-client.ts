/** A person who uses the actions over HTTP, through the Worker's front door. */
import type { z } from "zod";
import {
  ACTION_CONTRACTS,
  type ActionInput,
  type ActionName,
  type ActionOutput,
} from "../../../src/contract/action.ts";
import { AddStockOutput } from "../../../src/contract/stocks/add-stock.ts";
import { type Answer, answerOf } from "./answer.ts";
import { fetchAs } from "./fetch-as.ts";

/** Each action's own output schema, under a type that keeps name and output together. */
const CONTRACTS: { readonly [Name in ActionName]: { readonly output: z.ZodType<ActionOutput<Name>> } } =
  ACTION_CONTRACTS;

const [One, Several] = AddStockOutput.options;

/** A new person with an empty list. */
export const aPerson = () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const post = async (name: string, input: unknown): Promise<Answer> => {
    const response = await fetchAs(email, `/_framework/actions/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(input),
    });
    return answerOf(response);
  };
  return {
    email,
    post,
    get: async (name: string, query = ""): Promise<Answer> => {
      const response = await fetchAs(email, `/_framework/actions/${name}${query}`);
      return answerOf(response);
    },
    /** Calls an action that has to succeed; its answer has passed the action's own output schema. */
    act: async <Name extends ActionName>(name: Name, input: ActionInput<Name>): Promise<ActionOutput<Name>> => {
      const answer = await post(name, input);
      if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
      return CONTRACTS[name].output.parse(answer.body);
    },
    /** Adds one stock and returns its record. */
    add: async (fields: ActionInput<"add-stock">) => One.parse((await post("add-stock", fields)).body).stock,
    /** Adds several and returns their outcomes. */
    addSeveral: async (input: ActionInput<"add-stock">) => Several.parse((await post("add-stock", input)).body).results,
  };
};

export type Person = ReturnType<typeof aPerson>;
