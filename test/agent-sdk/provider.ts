/** The scripted provider for the real SDK: the model server of all tests, where two of its rules do not hold for the vendor's own client. */

import { z } from "zod";
import { NOT_FOR_THE_CLIENT } from "../support/agent-sdk/vendor-client.ts";
import { type MessagesApiServer, startMessagesApiServer } from "../support/messages-api-server.ts";
import { RecordedRequest, type Reply } from "../support/model-server/reply.ts";

/** A provider. */
export type Provider = MessagesApiServer & {
  /** Scripts the answers to prompts that hold `[script:<key>]`. */
  script(key: string, replies: readonly Reply[]): Promise<void>;
  /** The requests of a script so far. */
  requests(key: string): Promise<RecordedRequest[]>;
  /** What the API would have refused. */
  violations(): Promise<unknown[]>;
};

/** Starts one. */
export const startProvider = async (): Promise<Provider> => {
  const server = await startMessagesApiServer();
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/${path}`, { method: "POST", body: JSON.stringify(body) });
  const get = async (path: string) => (await fetch(`${server.url}/${path}`)).json();
  const Requests = z.array(RecordedRequest);
  return {
    ...server,
    script: async (key, replies) => {
      await post(`rules/${key}`, { off: NOT_FOR_THE_CLIENT });
      await post(`script/${key}`, replies);
    },
    requests: async (key) => Requests.parse(await get(`requests/${key}`)),
    violations: async () => z.array(z.unknown()).parse(await get("violations")),
  };
};
