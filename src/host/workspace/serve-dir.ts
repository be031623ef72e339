/**
 * The workspace server of `npm run dev` as a program of its own. A command of the agent can read the environment of the
 * process that started it: so that is this one, which never had a key. Arguments: the directory and the dev command's
 * `--persist-to`. Its one line of output is the server's address as JSON. It runs until its standard input ends, which the
 * system sees to however the dev command ends.
 */
import { once } from "node:events";
import { startWorkspaceServer } from "./workspace-server.ts";

const [dir = "", stateDir = ""] = process.argv.slice(2);

// A terminal sends Ctrl-C to all of its group; the dev command says when this program ends.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);

const { url, token, close } = await startWorkspaceServer(dir, stateDir);
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
await once(process.stdin.resume(), "close");
await close();
process.exit(0);
