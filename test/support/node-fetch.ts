/** `fetch` without the headers of a browser: Node's own adds `Sec-Fetch-Mode`, which workerd's does not. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

/** What a test may send; `url` is `http:`. */
export const nodeFetch = async (url: string, init: RequestInit): Promise<Response> => {
  const { method = "GET", body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const sent = request(url, { method, headers, agent: false, ...(signal ? { signal } : {}) });
  sent.end(typeof body === "string" || body instanceof Uint8Array ? body : undefined);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) throw new Error("No answer.");
  return new Response(streamOf(answer), { status: answer.statusCode ?? 0, headers: pairsOf(answer) });
};

const pairsOf = ({ headers }: IncomingMessage): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)]);

/** Ends with an error when the connection is lost in mid-answer, as `fetch` does. */
const streamOf = (answer: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      answer.on("data", (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
      answer.on("end", () => controller.close());
      answer.on("error", (error) => controller.error(error));
    },
    cancel: () => void answer.destroy(),
  });
