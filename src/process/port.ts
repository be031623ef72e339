/** Checks ports before anything is started. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { StartRefusal } from "./run-program.ts";

/** Both addresses that `localhost` stands for: a server on the other one would get the browser's requests. */
const LOOPBACK = ["127.0.0.1", "::1"] as const;

/** @throws {StartRefusal} when something is already listening on the port. */
export const requireFreePort = async (port: number): Promise<void> => {
  for (const host of LOOPBACK) {
    if (await isBusy(port, host)) {
      throw new StartRefusal(`Port ${port} is in use. Stop what listens there, or pass another --port N.`);
    }
  }
};

const isBusy = async (port: number, host: string): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, "listening");
    return false;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EACCES")
      throw new StartRefusal(`Port ${port} is not allowed for this user. Pass a --port N above 1023.`);
    // Any other reason, such as a machine without IPv6, is not another program.
    return error.code === "EADDRINUSE";
  } finally {
    server.close();
  }
};

/**
 * The first port that is chosen from, and the one after the last. All are below the ports that systems give to outgoing connections by
 * default, from 32768 on Linux and from 49152 elsewhere (RFC 6335): such a port may be taken between the check and the server's start.
 */
const FIRST_PORT = 20_000;
const END_PORT = 32_768;

/** Ports that are tried before giving up: so many are not all busy by chance. */
const MAX_TRIES = 100;

/** A port of `localhost`, chosen at random, that nothing listens on at this moment. Never `taken`, which another server will have. */
export const findFreePort = async (taken?: number): Promise<number> => {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    const port = randomInt(FIRST_PORT, END_PORT);
    const areBusy = await Promise.all(LOOPBACK.map((host) => isBusy(port, host)));
    if (port !== taken && !areBusy.includes(true)) return port;
  }
  throw new Error(`No free port was found from ${FIRST_PORT} to ${END_PORT - 1}.`);
};
