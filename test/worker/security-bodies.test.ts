/** Attacks by bodies that are too large, that never end, and that never come: on every route that takes one. */
import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { answerOf } from "../support/workerd/answer.ts";
import { fetchAs } from "../support/workerd/fetch-as.ts";
import { somebody } from "../support/workerd/somebody.ts";
import worker from "../support/workerd/test-worker.ts";
import { AUTH_CHANGES, CHANGES, TURN } from "./http/every-route.ts";

const ALL = [...CHANGES, ...AUTH_CHANGES.map((name) => [`/_framework/auth/${name}`, "POST"] as const)];

const JSON_TYPE = { "content-type": "application/json" };
const TOO_LARGE = { status: 413, body: { error: "Request is too large." } };
const TOO_SLOW = { status: 408, body: { error: "The request took too long to arrive. Send it again." } };
/** The developer on their own machine. */
const SIGNED_IN = { ...env, AUTH_DISABLED: "true" };
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

const email = "bodies@example.com";
const send = async (path: string, init: RequestInit) => answerOf(await fetchAs(email, path, init));

/** A body that never ends, and how much of it was read. */
const endlessBody = () => {
  const chunk = new TextEncoder().encode(" ".repeat(100_000));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, sent: () => sent };
};

/** A body that sends its beginning and then nothing; `asked` once the rest is waited for. */
const stalledBody = (beginning: string) => {
  const asked = Promise.withResolvers<void>();
  const isLeft = Promise.withResolvers<void>();
  const given = [new TextEncoder().encode(beginning)].values();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const { value, done } = given.next();
        if (!done) return controller.enqueue(value);
        asked.resolve();
        return isLeft.promise;
      },
      cancel: () => isLeft.resolve(),
    },
    { highWaterMark: 0 },
  );
  return { body, asked: asked.promise, isLeft: isLeft.promise };
};

describe("a body that is too large", () => {
  it.for(ALL)("is refused by %s %s", async ([path, method], { expect }) => {
    expect(await send(path, { method, body: "x".repeat(1_000_001), headers: JSON_TYPE })).toEqual(TOO_LARGE);
  });

  it.for(ALL)("is cut off by %s %s when it does not say how large", async ([path, method], { expect }) => {
    const { body, sent } = endlessBody();
    expect(await send(path, { method, body, headers: JSON_TYPE })).toEqual(TOO_LARGE);
    expect(sent()).toBeLessThan(3_000_000);
  });

  it("is not read at all for nobody", async ({ expect }) => {
    const { body, sent } = endlessBody();
    const response = await fetchAs(null, TURN, { method: "POST", body, headers: JSON_TYPE });
    expect(await answerOf(response)).toEqual(UNSIGNED);
    expect(sent()).toBeLessThan(1_000_000);
  });
});

describe("a body that never comes", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it.for(ALL)("is given up on by %s %s after a minute", async ([path, method], { expect }) => {
    const { body, asked, isLeft } = stalledBody('{"threadId":');
    // Not through `SELF`: the clock that is wound here must be the one the Worker waits by.
    const answer = worker.request(`http://localhost${path}`, { method, body, headers: JSON_TYPE }, SIGNED_IN);
    await asked;
    vi.advanceTimersByTime(60_000);
    expect(await answerOf(await answer)).toEqual(TOO_SLOW);
    await isLeft;
  });
});

it("a body that comes a byte at a time is like any other", async ({ expect }) => {
  const bytes = new TextEncoder().encode('{"symbol":"AAPL"}').values();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = bytes.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array([value]));
    },
  });
  const init = { method: "POST", body, headers: JSON_TYPE };
  const response = await fetchAs(somebody().email, "/_framework/actions/add-stock", init);
  expect(await answerOf(response)).toMatchObject({ status: 200, body: { stock: { symbol: "AAPL" } } });
});
