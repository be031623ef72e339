/**
 * The workspace server of `npm run dev` as a separate program. A command of the agent can read the environment of the process
 * that started it, so commands are started by this process, which never had a key. Arguments: the directory and the dev command's
 * `--persist-to`. Its first line of input says how the agent SDK is run, if it is; its one line of output is the server's address as
 * JSON. It runs until its standard input ends, which the system guarantees however the dev command ends.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { SdkSetup } from "../../harness-host/agent/agent-start.ts";
import { openHarnessCalls } from "../../harness-host/harness-calls.ts";
import { startWorkspaceServer } from "../../workspace-server/workspace-server.ts";

const [dir = "", stateDir = ""] = process.argv.slice(2);

// A terminal sends Ctrl-C to its whole process group; the dev command decides when this program ends.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);

const lines = createInterface(process.stdin);
const [first] = await once(lines, "line");
const { sdk } = z.object({ sdk: SdkSetup.nullable() }).parse(parseJson(String(first)));
const harness = await openHarnessCalls(sdk ?? undefined, { dir, stateDir });
const { url, token, close } = await startWorkspaceServer(dir, stateDir, { harness });
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
await once(lines, "close");
await close();
process.exit(0);
