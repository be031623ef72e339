/** A test's end of the model server: queues replies under a key of its own and reads what was asked. Runs in Node and workerd. */
import { z } from "zod";
import { RecordedRequest, type Reply, type RequestState } from "./model-server/reply.ts";

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
  /** Waits until the nth request (from 1) is in `state`. @throws after 10 s, saying which states there are. */
  reaches(nth: number, state: RequestState): Promise<RecordedRequest>;
  /** Lets one held reply go on; the next one when none is held yet. */
  release(): Promise<void>;
  /** What the real API would have refused, and requests the script had no reply for. A good test ends with none. */
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
    violations: () => read(z.array(z.string()), `${modelUrl}/violations/${key}`),
  };
  await model.add(replies);
  return model;
};
