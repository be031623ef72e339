/**
 * The model provider of the fault suite: a real HTTP server that speaks the Messages API. Unlike the scripted one of the
 * tests it holds no queue: which reply is due follows from the conversation it is sent, so a call that a crash has cut off
 * is answered the same when it is asked again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { say } from "../../support/model-script.ts";
import { headersOf, leaveSignal, refuse } from "../../support/model-server/answer-messages.ts";
import { ModelsApi } from "../../support/model-server/models-api.ts";
import { playReply } from "../../support/model-server/play-reply.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import type { RuleName } from "../../support/model-server/rules/rule.ts";
import { StrictApi } from "../../support/model-server/strict-api.ts";

/** The reply of one step of a turn. `asked` counts how often this step has been asked for, from 1. `undefined`: the connection is cut before any byte. */
export type Step = (asked: number) => Reply | undefined;

/** A request as it came: the texts of user and assistant, in order. */
type AskedRequest = { readonly step: number; readonly messages: readonly AskedMessage[] };

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string().transform((text) => [{ type: "text", text }]), z.array(Block)]);
const AskedMessage = z.object({ role: z.enum(["user", "assistant", "system"]), content: Content });
export type AskedMessage = z.infer<typeof AskedMessage>;
const Asked = z.object({ messages: z.array(AskedMessage) });

/** The steps of one turn and what was asked for it. */
export type Play = {
  readonly key: string;
  /** The prompt with the marker that leads its model calls here. */
  readonly prompt: string;
  readonly requests: AskedRequest[];
  /** What the real API would have refused. */
  readonly problems: string[];
};

/** A server that runs. */
export type PlayingModel = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Makes a turn's play; after its last step the model says that it is done. */
  add(key: string, text: string, steps: readonly Step[]): Play;
  /** Forgets everything about plays that are over. */
  clear(): void;
  /** Requests that belong to no play, since the last `clear`. */
  readonly strays: string[];
  close(): Promise<void>;
};

type KnownPlay = Play & { readonly steps: readonly Step[] };

/** All keys that a text names, in order. */
export const keysIn = (text: string): string[] =>
  [...text.matchAll(/\[play:([\w-]+)\]/g)].flatMap(([, key]) => key ?? []);

/** The text that the user of a message wrote. */
export const userText = (message: AskedMessage): string =>
  message.role === "user" ? message.content.map(({ text }) => text ?? "").join("\n") : "";

/** Whether the first steps of the running turn are left out. */
const isShort = (messages: readonly AskedMessage[]): boolean =>
  messages.some((message) => userText(message).includes("[The first steps of this turn are left out"));

/** What the vendor's SDK puts between a turn that died and the next message. No model said it. */
const isFiller = ({ content }: AskedMessage): boolean =>
  content.every(({ type, text }) => type === "text" && text === "No response requested.");

const findPlay = (plays: ReadonlyMap<string, KnownPlay>, messages: readonly AskedMessage[]) => {
  const at = messages.findLastIndex((message) => keysIn(userText(message)).length > 0);
  const key = at < 0 ? undefined : keysIn(userText(messages[at] ?? { role: "user", content: [] })).at(-1);
  const step = messages.slice(at + 1).filter((message) => message.role === "assistant" && !isFiller(message)).length;
  return { play: key === undefined ? undefined : plays.get(key), key, step };
};

/** Rules of the API that are not looked at. */
type RulesOff = ReadonlySet<RuleName>;

/** Starts the server on 127.0.0.1 and a free port. `onRequest` is called for each model call as it arrives. */
export const startPlayingModel = async (onRequest: () => void, rulesOff?: RulesOff): Promise<PlayingModel> => {
  const plays = new Map<string, KnownPlay>();
  const strays: string[] = [];
  const api = new StrictApi();
  const modelsApi = new ModelsApi((problem) => strays.push(problem));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://model");
    if (/^\/v1\/models(\/[^/]+)?$/.test(url.pathname)) return modelsApi.answer(request, response, url);
    const left = leaveSignal(response);
    const body: unknown = await json(request);
    onRequest();
    const { messages } = Asked.parse(body);
    const { play, key, step } = findPlay(plays, messages);
    if (play === undefined) {
      strays.push(`a model call for ${key}, which nobody plays`);
      return refuse(response, 400, "invalid_request_error", "Nobody plays this.");
    }
    const { refusal, message } = api.admit(headersOf(request), body, rulesOff);
    if (refusal !== undefined) {
      play.problems.push(refusal.message);
      return refuse(response, refusal.status, refusal.type, refusal.message);
    }
    // Where the steps before were left out, the conversation does not say how many there were: it is the one asked for last.
    const at = isShort(messages) ? (play.requests.at(-1)?.step ?? step) : step;
    play.requests.push({ step: at, messages });
    const asked = play.requests.filter((earlier) => earlier.step === at).length;
    const replyOf = play.steps[at] ?? (() => say("Done."));
    const reply = replyOf(asked);
    if (reply === undefined) return void response.destroy();
    const untilLeft = () => new Promise((resolve) => left.addEventListener("abort", resolve));
    await playReply(reply, response, untilLeft, left, message);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    add: (key, text, steps) => {
      const play = { key, prompt: `${text} [play:${key}]`, steps, requests: [], problems: [] };
      plays.set(key, play);
      return play;
    },
    clear: () => {
      plays.clear();
      strays.length = 0;
    },
    strays,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
