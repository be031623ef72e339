/** Runs the model server in a worker of its own: 2,000 deltas must not wait for the client that counts bytes. */
import { parentPort } from "node:worker_threads";
import { startMessagesApiServer } from "../support/messages-api-server.ts";

const server = await startMessagesApiServer();
parentPort?.postMessage(server.url);
