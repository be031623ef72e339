/** Requests on a machine where sign-in is off (spec §5.3): whoever asks is `dev@local.test`. */
import { env } from "cloudflare:test";
import { type Answer, answerOf } from "./answer.ts";
import worker from "./test-worker.ts";

const headers = { "content-type": "application/json" };

/** Asks the Worker as it is with `AUTH_DISABLED`. Reading a stream's answer waits for its end. */
export const askAsDeveloper = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askWith({}, method, path, body);

/** The same with these variables, of which the objects know nothing. */
export const askWith = async (
  variables: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> => {
  const init = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) };
  const world = { ...env, AUTH_DISABLED: "true", ...variables };
  return answerOf(await worker.request(`http://localhost${path}`, init, world));
};
