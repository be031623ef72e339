/** Serves the directory named first, with its state in the one named second; says where, until TERM. */
import { startWorkspaceServer } from "../../src/workspace-server/workspace-server.ts";

const [, , dir = "", stateDir = ""] = process.argv;
const server = await startWorkspaceServer(dir, stateDir);
process.once("SIGTERM", () => void server.close().finally(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
