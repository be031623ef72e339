/**
 * The only fake of the project: a real HTTP server that speaks the Messages API and answers from scripts. A request finds
 * its script by the last `[script:<key>]` in its user texts, so tests run side by side. Controlled over HTTP too, because
 * tests inside workerd have no other way to reach it; `scripted-model.ts` is their end of it. Beside messages it lists models.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { answerMessages, leaveSignal, refuse } from "./model-server/answer-messages.ts";
import { sendJson } from "./model-server/play-reply.ts";
import { ModelsSetting, Reply, RequestState } from "./model-server/reply.ts";
import { RuleName } from "./model-server/rules/rule.ts";
import type { ScriptedConversation } from "./model-server/scripted-conversation.ts";
import { Scripts } from "./model-server/scripts.ts";

/** How long `GET /wait` waits, in ms: less than a test's own time-out, so that its answer is what the test reports. */
const MAX_WAIT_MS = 20_000;

/** A server that runs. `url` has no slash at its end. */
export type MessagesApiServer = { readonly url: string; close(): Promise<void> };

/** `GET /wait/<key>?nth=&state=`: the nth request (from 1) once it is in that state; 504 tells where it is instead. */
const awaitState = async (conversation: ScriptedConversation, query: URLSearchParams, response: ServerResponse) => {
  const nth = z.coerce.number().int().positive().parse(query.get("nth"));
  const state = RequestState.parse(query.get("state"));
  const timeOut = AbortSignal.any([AbortSignal.timeout(MAX_WAIT_MS), leaveSignal(response)]);
  const reached = await conversation.until(() => conversation.requests[nth - 1]?.state === state, timeOut);
  if (reached) return sendJson(response, 200, conversation.requests[nth - 1]);
  const states = conversation.requests.map((request) => request.state).join(", ") || "none";
  return sendJson(response, 504, { error: `Request ${nth} is not ${state}. Requests: ${states}.` });
};

const Switches = z.strictObject({ off: z.array(RuleName) });

const route = async (scripts: Scripts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://server");
  const [, first = "", key = ""] = url.pathname.split("/").map(decodeURIComponent);
  switch (`${request.method} /${first}`) {
    case "POST /v1":
      if (url.pathname === "/v1/messages") return answerMessages(scripts, request, response);
      break;
    case "GET /v1":
      if (/^\/v1\/models(\/[^/]+)?$/.test(url.pathname)) return scripts.modelsApi.answer(request, response, url);
      break;
    case "POST /models":
      scripts.modelsApi.set(key, ModelsSetting.parse(await json(request)));
      return sendJson(response, 200, {});
    case "GET /models":
      return sendJson(response, 200, scripts.modelsApi.requests(key));
    case "POST /script":
      scripts.of(key).script(z.array(Reply).parse(await json(request)));
      return sendJson(response, 200, {});
    case "POST /rules":
      scripts.of(key).rulesOff = new Set(Switches.parse(await json(request)).off);
      return sendJson(response, 200, {});
    case "GET /answers":
      return sendJson(response, 200, scripts.of(key).answers);
    case "GET /transformations":
      return sendJson(response, 200, scripts.of(key).transformations);
    case "POST /release":
      scripts.of(key).release();
      return sendJson(response, 200, {});
    case "GET /requests":
      return sendJson(response, 200, scripts.of(key).requests);
    case "GET /wait":
      return awaitState(scripts.of(key), url.searchParams, response);
    case "GET /violations":
      return sendJson(response, 200, key === "" ? scripts.violations() : scripts.of(key).violations);
  }
  return refuse(response, 404, "not_found_error", `${request.method} ${url.pathname} is not known.`);
};

/** Starts the server on 127.0.0.1 and a free port. Tests get theirs from `start-model-server.ts`; benches start one here. */
export const startMessagesApiServer = async (): Promise<MessagesApiServer> => {
  const scripts = new Scripts();
  // Whoever asks ends its idle connections: closed here, one could be in use again already.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    route(scripts, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "api_error", `The model server itself failed: ${String(error)}`);
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
