/** On which of the connections behind wrangler's proxy a request is sent, with the proxy's own rule as the judge. */
import { expect, it } from "vitest";
import { runtimeConnections } from "../../../src/cli/front/runtime-connections.ts";

/** When both sides close an idle connection, in ms. */
const CLOSED_MS = 5_000;

/** How late the app's process may be, in ms: a request that is sent within it before the end is lost. */
const LATE_MS = 3_500;

/** Connections as kj keeps them: the one that was idle last is used next, and one too old is closed. */
const stage = () => {
  let nowMs = 0;
  let idleSinceMs: number[] = [];
  const connections = runtimeConnections(() => nowMs);
  const lost: string[] = [];
  /** A request that the listener does not see. */
  const passBy = () => {
    if (idleSinceMs.length > 0) idleSinceMs.pop();
    idleSinceMs.push(nowMs);
    connections.lose();
  };
  /** Sends a request; what it returns ends the response, of which the listener does not know when its client has left. */
  const send = (method: string): ((hasLeft?: boolean) => void) => {
    idleSinceMs = idleSinceMs.filter((sinceMs) => nowMs - sinceMs < CLOSED_MS);
    const sinceMs = idleSinceMs.pop();
    connections.take();
    const isLost = sinceMs !== undefined && nowMs - sinceMs > CLOSED_MS - LATE_MS;
    if (isLost && method !== "GET") lost.push(method);
    return (hasLeft = false) => {
      idleSinceMs.push(nowMs);
      if (hasLeft) connections.lose();
      else connections.giveBack();
    };
  };
  let uses = 0;
  const useOne = async () => {
    uses += 1;
    const end = send("GET");
    await Promise.resolve();
    end();
  };
  const ask = async (method: string): Promise<(hasLeft?: boolean) => void> => {
    let end: (hasLeft?: boolean) => void = () => {};
    const sendIt = () => {
      end = send(method);
    };
    await connections.sendOnFresh(method, sendIt, useOne);
    return end;
  };
  /** Asks for all at once, of which the proxy reads the first last. */
  const askOvertaken = async (method: string, ...overtaking: readonly string[]): Promise<void> => {
    let end: (hasLeft?: boolean) => void = () => {};
    const sendIt = () => {
      const others = overtaking.map(send);
      end = send(method);
      for (const endOther of others) endOther();
    };
    await connections.sendOnFresh(method, sendIt, useOne);
    end();
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, askOvertaken, pass, passBy, lost, uses: () => uses };
};

it("loses no POST at the moment when an idle connection is closed, however many there were", async () => {
  const { ask, pass, lost, uses } = stage();
  const first = await Promise.all(["GET", "POST", "POST", "GET"].map(ask));
  for (const end of first) end();
  pass(4_900);
  for (const end of await Promise.all(["POST", "POST", "POST"].map(ask))) end();
  pass(2_900);
  (await ask("POST"))();
  expect(lost).toEqual([]);
  expect(uses()).toBeGreaterThan(0);
});

it("loses no POST that a GET overtakes on its way to the proxy", async () => {
  const { ask, askOvertaken, pass, lost } = stage();
  for (const end of await Promise.all(["GET", "GET", "GET"].map(ask))) end();
  pass(4_000);
  (await ask("GET"))();
  pass(900);
  await askOvertaken("POST", "GET");
  expect(lost).toEqual([]);
});

it("loses no POST that all of what a page asks for as it loads overtakes", async () => {
  const { ask, askOvertaken, pass, lost } = stage();
  const page = ["GET", "GET", "GET", "GET", "GET"];
  for (const end of await Promise.all([...page, "GET"].map(ask))) end();
  pass(4_000);
  for (const end of await Promise.all(["GET", "GET", "GET"].map(ask))) end();
  pass(900);
  await askOvertaken("POST", ...page);
  expect(lost).toEqual([]);
});

it("loses none on a connection that it does not know to be idle: the client left as the response ended, or it was the cron's", async () => {
  const { ask, pass, passBy, lost, uses } = stage();
  (await ask("GET"))(true);
  pass(4_900);
  (await ask("POST"))();
  const stream = await ask("GET");
  passBy();
  pass(4_900);
  (await ask("POST"))();
  stream(true);
  expect(lost).toEqual([]);
  // By then every connection that was idle is closed, and one that is not known is not looked for any more.
  pass(10_000);
  const used = uses();
  const before = [await ask("GET"), await ask("GET"), await ask("GET")];
  (await ask("POST"))();
  for (const end of before) end();
  expect([lost, uses()]).toEqual([[], used]);
});

it("loses no POST that is overtaken while one connection is not known to be idle", async () => {
  const { ask, askOvertaken, pass, passBy, lost } = stage();
  const long = await ask("GET");
  passBy();
  pass(4_000);
  long();
  pass(800);
  await askOvertaken("POST", "GET");
  expect(lost).toEqual([]);
});

it("sends nothing of its own while connections are in use, for a GET, and for the first of all", async () => {
  const { ask, pass, uses } = stage();
  (await ask("POST"))();
  for (let second = 0; second < 10; second += 1) {
    pass(900);
    (await ask("POST"))();
  }
  pass(4_900);
  (await ask("GET"))();
  (await ask("POST"))();
  expect(uses()).toBe(0);
});

it("sends after a few tries when others always take the fresh connection first", async () => {
  let nowMs = 0;
  const connections = runtimeConnections(() => nowMs);
  connections.giveBack();
  nowMs = 4_900;
  const seen: string[] = [];
  const useOne = async () => void seen.push("use");
  await connections.sendOnFresh("POST", () => void seen.push("send"), useOne);
  expect(seen).toEqual(["use", "use", "use", "send"]);
});
