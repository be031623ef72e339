/** A test's end of the model server: queues replies under a key of its own and reads what was asked. Runs in Node and workerd. */
import { z } from "zod";
import {
  ModelsRequest,
  type ModelsSetting,
  RecordedRequest,
  type Reply,
  type RequestState,
  SentBlocks,
  Transformation,
} from "./model-server/reply.ts";
import type { RuleName } from "./model-server/rules/rule.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of the model server that `start-model-server.ts` started. */
    modelUrl: string;
  }
}

/** One script and its requests. */
export type ScriptedModel = {
  readonly key: string;
  /** The prompt with the marker that leads its model calls, and those of later turns without one, to this script. */
  prompt(text: string): string;
  /** Queues further replies. */
  add(replies: readonly Reply[]): Promise<void>;
  /** All requests so far, oldest first. */
  requests(): Promise<RecordedRequest[]>;
  /** Waits until the nth request (from 1) is in `state`. @throws after 20 s, saying which states there are. */
  reaches(nth: number, state: RequestState): Promise<RecordedRequest>;
  /** Releases one held reply, or the next one when none is held yet. */
  release(): Promise<void>;
  /** The finished blocks of each answer so far, as they were sent: also signatures, which the server makes. */
  answers(): Promise<SentBlocks[]>;
  /** For each accepted request: which of its thinking was dropped, whether or not the client was told. */
  transformations(): Promise<Transformation[][]>;
  /** Switches rules off, and all others on: what the API would refuse by them is let through. */
  withoutRules(...off: readonly RuleName[]): Promise<void>;
  /** What the real API would have refused, and requests the script had no reply for. It is empty at the end of a good test. */
  violations(): Promise<string[]>;
};

const read = async <Schema extends z.ZodType>(schema: Schema, url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`The model server answered ${response.status}: ${text}`);
  return schema.parse(JSON.parse(text));
};

/** Starts a script on the server at `modelUrl`; give a `key` only to go on with an earlier one. */
export const scriptModel = async (
  modelUrl: string,
  replies: readonly Reply[],
  key: string = crypto.randomUUID(),
): Promise<ScriptedModel> => {
  const post = async (path: string, body: unknown): Promise<void> => {
    await read(z.unknown(), `${modelUrl}/${path}/${key}`, { method: "POST", body: JSON.stringify(body) });
  };
  const model: ScriptedModel = {
    key,
    prompt: (text) => `${text} [script:${key}]`,
    add: (more) => post("script", more),
    requests: () => read(z.array(RecordedRequest), `${modelUrl}/requests/${key}`),
    reaches: (nth, state) => read(RecordedRequest, `${modelUrl}/wait/${key}?nth=${nth}&state=${state}`),
    release: () => post("release", {}),
    answers: () => read(z.array(SentBlocks), `${modelUrl}/answers/${key}`),
    transformations: () => read(z.array(z.array(Transformation)), `${modelUrl}/transformations/${key}`),
    withoutRules: (...off) => post("rules", { off }),
    violations: () => read(z.array(z.string()), `${modelUrl}/violations/${key}`),
  };
  await model.add(replies);
  return model;
};

/** The Models API of the server at `modelUrl` for one credential, or with "" for all that have no script of their own. */
export const scriptModels = (modelUrl: string, credential = "") => ({
  /** Says how it answers from now on: fails, hangs, or has other figures. `{}` is the API as it is. */
  set: async (setting: ModelsSetting): Promise<void> => {
    const init = { method: "POST", body: JSON.stringify(setting) };
    await read(z.unknown(), `${modelUrl}/models/${encodeURIComponent(credential)}`, init);
  },
  /** The requests so far, oldest first. */
  requests: (): Promise<ModelsRequest[]> =>
    read(z.array(ModelsRequest), `${modelUrl}/models/${encodeURIComponent(credential)}`),
});
