/** Checks ports before anything is started. */
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

/** A port of 127.0.0.1 that nothing is listening on at this moment. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
};
