/**
 * The JavaScript heap of the Worker's isolate, which its objects share, after a forced collection: by the DevTools protocol,
 * through the inspector that the load world makes wrangler open, on a port that is not announced.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { WebSocket } from "node:http";
import { z } from "zod";

/** Wrangler's inspector refuses connections that do not say where they come from. */
const ORIGIN = "http://localhost";

/**
 * How long a collection may take, in ms. It runs when the isolate next does something, so it needs requests meanwhile. The first
 * one after 1,200 turns has taken 26 s on a slow machine, later ones 1.5 s.
 */
const TIMEOUT_MS = 120_000;

/** State of a listening socket, in /proc/net/tcp. */
const LISTENING = "0A";

const Reply = z.object({ id: z.int(), result: z.unknown() });
const HeapUsage = z.object({ usedSize: z.number(), embedderHeapUsedSize: z.number(), backingStorageSize: z.number() });

/** Bytes in use after a full collection. `proxyPid` is wrangler's proxy, which listens on `sitePort` too. */
export const inspectHeap = async (proxyPid: number, sitePort: number): Promise<number> => {
  const port = listeningPorts(proxyPid).find((one) => one !== sitePort);
  if (port === undefined) throw new Error("Wrangler has no inspector.");
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { origin: ORIGIN } });
  const failed = Promise.withResolvers<never>();
  const timer = setTimeout(() => failed.reject(new Error("The inspector does not answer.")), TIMEOUT_MS);
  socket.addEventListener("error", () => failed.reject(new Error("The inspector cannot be reached.")));
  try {
    await Promise.race([failed.promise, new Promise((resolve) => socket.addEventListener("open", resolve))]);
    for (const [index, method] of ["HeapProfiler.enable", "HeapProfiler.collectGarbage"].entries())
      await Promise.race([failed.promise, call(socket, index, method)]);
    const usage = HeapUsage.parse(await Promise.race([failed.promise, call(socket, 2, "Runtime.getHeapUsage")]));
    return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
};

const call = (socket: InstanceType<typeof WebSocket>, id: number, method: string): Promise<unknown> =>
  new Promise((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      const reply = Reply.safeParse(JSON.parse(String(data)));
      if (reply.success && reply.data.id === id) resolve(reply.data.result);
    });
    socket.send(JSON.stringify({ id, method }));
  });

const listeningPorts = (pid: number): number[] => {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed between the listing and the reading.
        return [];
      }
    }),
  );
  return readFileSync(`/proc/${pid}/net/tcp`, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.has(inode ?? ""))
    .map(([, address]) => Number.parseInt(address?.split(":")[1] ?? "", 16));
};
