/** `npm run workspace`: one directory of this machine for one owner of a deployed Worker. Ends with 0 on Ctrl-C or TERM. */
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { requireFreePort } from "./port.ts";
import { PROJECT_DIR } from "./project.ts";
import { runProgram } from "./run-program.ts";
import { endLeftCommands } from "./workspace/end-left-commands.ts";
import { recordsIn, startWorkspaceServer } from "./workspace/workspace-server.ts";
import { parseWorkspaceOptions } from "./workspace-options.ts";

const main = async (stop: AbortSignal): Promise<void> => {
  const { port, publicHost, dir, token } = parseWorkspaceOptions(process.argv.slice(2), process.env, process.cwd());
  // One for each port: what a second server finds there has been left by a killed one, and is no running one's.
  await requireFreePort(port);
  const stateDir = join(PROJECT_DIR, ".wrangler", `workspace-${port}`);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  await endLeftCommands(recordsIn(stateDir));
  const named = publicHost === undefined ? {} : { publicHost };
  const server = await startWorkspaceServer(dir, stateDir, { port, token, ...named });
  process.stdout.write(`Workspace: ${dir}\n`);
  process.stdout.write(`Serving on ${server.url}${publicHost === undefined ? "" : ` for https://${publicHost}`}\n`);
  if (!stop.aborted) await once(stop, "abort");
  await server.close();
};

await runProgram(main);
