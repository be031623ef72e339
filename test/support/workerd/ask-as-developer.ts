/** Requests on a machine where sign-in is off (api.md §1): every caller is `dev@local.test`. */
import { env } from "cloudflare:test";
import { type Answer, answerOf } from "./answer.ts";
import worker from "./test-worker.ts";

const JSON_BODY = { "content-type": "application/json" };

/** Asks the Worker as it is with `AUTH_DISABLED`. Reading a stream's answer waits for its end. */
export const askAsDeveloper = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askWith({}, method, path, body);

/** The same with these variables, which the objects do not see, and more headers. */
export const askWith = async (
  variables: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const sent =
    body === undefined ? { headers: more } : { headers: { ...JSON_BODY, ...more }, body: JSON.stringify(body) };
  const init = { method, ...sent };
  const world = { ...env, AUTH_DISABLED: "true", ...variables };
  return answerOf(await worker.request(`http://localhost${path}`, init, world));
};
