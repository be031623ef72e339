/** The client of a host workspace whose server takes calls and answers none of them. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROTOCOL, PROTOCOL_HEADER } from "../../../src/workspace/host/host-wire.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Hangs until it is called back, as `fetch` does. Says which calls came, and which of them were left. */
const hungServer = () => {
  const [called, left]: [string[], string[]] = [[], []];
  const fetchWith = (url: string, { signal }: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    called.push(pathname);
    const { promise, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener("abort", () => {
      left.push(pathname);
      reject(signal.reason);
    });
    return promise;
  };
  return { workspace: new HostWorkspace({ url: "http://127.0.0.1:1", token: "t" }, fetchWith), called, left };
};

/** Answers with these pieces, and says how many were taken and whether the rest was. */
const streamingServer = (pieces: readonly string[]) => {
  const rest = pieces.values();
  const said = { taken: 0, isCancelled: false };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { value, done } = rest.next();
    if (done) return controller.close();
    said.taken += 1;
    controller.enqueue(new TextEncoder().encode(value));
  };
  const cancel = () => {
    said.isCancelled = true;
  };
  const headers = { [PROTOCOL_HEADER]: String(PROTOCOL) };
  const fetchWith = async () => new Response(new ReadableStream({ pull, cancel }), { headers });
  return { workspace: new HostWorkspace({ url: "http://127.0.0.1:1", token: "t" }, fetchWith), said };
};

const running = new AbortController().signal;
const query = { path: ".", limit: 1 };
const command = { callId: "c", command: "true", dir: ".", timeoutMs: 120_000 };
const unavailable = { code: "unavailable", message: expect.stringContaining("does not answer") };

describe("a call that is never answered", () => {
  it.each<[string, number, (workspace: HostWorkspace) => Promise<unknown>]>([
    ["stat", 60_000, (workspace) => workspace.stat("a")],
    ["real", 60_000, (workspace) => workspace.realPath("a")],
    ["read", 60_000, (workspace) => workspace.read("a", { offset: 0, maxBytes: 1 })],
    ["write", 60_000, (workspace) => workspace.write("a", new Uint8Array())],
    ["delete", 60_000, (workspace) => workspace.delete("a")],
    ["list", 60_000, (workspace) => workspace.list(query)],
    ["search", 60_000, (workspace) => workspace.search({ ...query, pattern: "a", context: 0 }, running)],
    ["run", 180_000, (workspace) => workspace.run(command, () => undefined, running)],
    ["find", 660_000, (workspace) => workspace.find("c", running)],
  ])("fails: %s, after %i ms", async (name, limitMs, call) => {
    const { workspace, called } = hungServer();
    const given = expect(call(workspace)).rejects.toMatchObject(unavailable);
    await vi.advanceTimersByTimeAsync(limitMs);
    await given;
    expect(called).toEqual([`/${name}`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (workspace: HostWorkspace, signal: AbortSignal) => Promise<unknown>, object]>([
    ["list", (workspace, signal) => workspace.list(query, signal), { entries: [], isCut: true }],
    [
      "search",
      (workspace, signal) => workspace.search({ ...query, pattern: "a", context: 0 }, signal),
      { lines: [], isCut: true },
    ],
  ])("is left when nobody waits for it any more, and is cut: %s", async (name, call, cut) => {
    const { workspace, left } = hungServer();
    const stop = new AbortController();
    const given = call(workspace, stop.signal);
    stop.abort();
    expect(await given).toEqual(cut);
    expect(left).toEqual([`/${name}`]);
  });

  it("fails too where the answer begins and never ends", async () => {
    const fetchWith = async (_: string, { signal }: RequestInit) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode("{"));
            signal?.addEventListener("abort", () => controller.error(signal.reason));
          },
        }),
        { headers: { [PROTOCOL_HEADER]: String(PROTOCOL) } },
      );
    const workspace = new HostWorkspace({ url: "http://127.0.0.1:1", token: "t" }, fetchWith);
    const given = expect(workspace.stat("a")).rejects.toMatchObject(unavailable);
    await vi.advanceTimersByTimeAsync(60_000);
    await given;
  });
});

describe("an answer", () => {
  it("that is larger than the object can hold is not read to its end, and the call says what to do", async () => {
    const megabyte = `${" ".repeat(999_999)}\n`;
    const { workspace, said } = streamingServer(Array.from({ length: 40 }, () => megabyte));
    await expect(workspace.search({ ...query, pattern: "a", context: 0 }, running)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringMatching(
        /^The workspace server's answer is too large\. Narrow the request.* update the server/,
      ),
    });
    expect([said.taken < 20, said.isCancelled]).toEqual([true, true]);
  });

  it("that is as large as a server gives is read, though JSON makes it six times as long", async () => {
    const lines = Array.from({ length: 500 }, () => ({ path: "a", line: 1, text: "\0".repeat(2_000), isMatch: true }));
    const { workspace } = streamingServer([JSON.stringify({ lines, isCut: true })]);
    expect(await workspace.search({ ...query, pattern: "a", context: 0 }, running)).toEqual({ lines, isCut: true });
  });
});
