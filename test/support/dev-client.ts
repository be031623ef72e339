/** A client of a started dev command, from outside: the developer, or who has signed in by the code that was printed. */
import { EventSource } from "eventsource";
import { z } from "zod";
import { TurnStartResponse } from "../../src/contract/turn.ts";
import type { DevServer } from "./dev-server.ts";

/** An event of a transcript as it came over the wire. */
const StreamEvent = z.looseObject({ type: z.string(), seq: z.int() });
export type StreamEvent = z.infer<typeof StreamEvent>;

/** Status and body of an answer. */
type Answer = { readonly status: number; readonly body: unknown };

const AUTH_PATH = "/_framework/auth";

/** What a client needs to know of a server. */
type Server = Pick<DevServer, "url" | "line">;

export type DevClient = Awaited<ReturnType<typeof openDevClient>>;

/** With an `email`, that person is signed in before this resolves. It keeps working across a restart on the same port. */
export const openDevClient = async (server: Server, email?: string) => {
  const cookie = email === undefined ? {} : { cookie: await signIn(server, email) };
  const post = async (path: string, body: unknown): Promise<unknown> =>
    (await send(server.url, path, cookie, body)).json();
  return {
    post,
    get: async (path: string): Promise<Answer> => {
      const answer = await fetch(`${server.url}${path}`, { headers: cookie });
      return { status: answer.status, body: await answer.json() };
    },
    startTurn: async (threadId: string, prompt: string): Promise<TurnStartResponse> =>
      TurnStartResponse.parse(await post("/api/agent/turn", { threadId, prompt })),
    decide: (runId: string, requestId: unknown, decision: string | undefined): Promise<unknown> =>
      post(`/_framework/runs/${runId}/permissions/${requestId}`, { decision }),
    /** Reads a run to its end as a page does, by an EventSource: it reconnects by itself. */
    readToEnd: (events: string, onEvent: (event: StreamEvent) => void): Promise<StreamEvent[]> =>
      readToEnd(`${server.url}${events}`, cookie, onEvent),
  };
};

const send = (url: string, path: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** The cookies of a new log-in, as a request sends them. */
export const signIn = async (server: Server, email: string): Promise<string> => {
  await send(server.url, `${AUTH_PATH}/email-otp/send-verification-otp`, {}, { email });
  const otp = await server.line(new RegExp(`^Sign-in code for ${email}: (\\d{6})$`, "m"));
  const answer = await send(server.url, `${AUTH_PATH}/sign-in/email-otp`, {}, { email, otp });
  return answer.headers
    .getSetCookie()
    .map((set) => set.split(";", 1)[0])
    .join("; ");
};

const readToEnd = (
  url: string,
  cookie: Readonly<Record<string, string>>,
  onEvent: (event: StreamEvent) => void,
): Promise<StreamEvent[]> => {
  const { promise, resolve } = Promise.withResolvers<StreamEvent[]>();
  const events: StreamEvent[] = [];
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...cookie } }),
  });
  source.addEventListener("message", ({ data }) => {
    const event = StreamEvent.parse(JSON.parse(data));
    events.push(event);
    onEvent(event);
    if (event.type !== "run_end") return;
    source.close();
    resolve(events);
  });
  return promise;
};
