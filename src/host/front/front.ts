/**
 * The listener of `npm run dev`, before wrangler. Wrangler believes a client about the address it was asked by, and answers
 * for itself below `/cdn-cgi`; so a page on a name that was rebound to this machine would be the developer. Here the
 * request is looked at as it was sent, and what goes on carries a secret, without which the Worker answers nobody.
 */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { StartRefusal } from "../start-refusal.ts";
import { forwardRequest, type Inner, innerConnections } from "./forward-request.ts";
import { forwardStream, isForStream } from "./forward-stream.ts";
import { answerRefusal } from "./refusal.ts";
import { refuseRequest } from "./refuse-request.ts";

/** A listener on the port people use. */
export type Front = {
  /** From now on requests go on to wrangler. Those that came before wait for it. */
  open(): void;
  /** Ends all connections. When it resolves, the port is free. */
  close(): Promise<void>;
};

/** Listens on both addresses that `localhost` stands for: a stranger on the other one would get a browser's requests. */
export const startFront = async (port: number, inner: Inner): Promise<Front> => {
  const agent = innerConnections();
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  const forward: RequestListener = (request, response) => {
    if (isForStream(request, response)) forwardStream(request, inner);
    else forwardRequest(request, response, inner, agent);
  };
  const answer: RequestListener = (request, response) => {
    const refusal = refuseRequest(request, port);
    if (refusal !== undefined) answerRefusal(response, refusal);
    else if (isOpen) forward(request, response);
    else void opened.promise.then(() => response.destroyed || forward(request, response));
  };
  const servers = [await listen(answer, port, "127.0.0.1"), await listen(answer, port, "::1").catch(() => undefined)];
  return {
    open: () => {
      isOpen = true;
      opened.resolve();
    },
    close: async () => {
      await Promise.all(servers.map((server) => server && closeServer(server)));
      agent.destroy();
    },
  };
};

const listen = async (answer: RequestListener, port: number, host: string): Promise<Server> => {
  const server = createServer(answer);
  // How long a body may take is for the Worker to say.
  server.requestTimeout = 0;
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    throw new StartRefusal(`Port ${port} is in use. Stop what listens there, or pass another --port N.`);
  }
  return server;
};

const closeServer = async (server: Server): Promise<void> => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
};
