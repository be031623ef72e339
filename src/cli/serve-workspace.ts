/** `npm run workspace`: serves one directory of this machine to one owner of a deployed Worker. Ends with 0 on Ctrl-C or TERM. */
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openHarnessCalls } from "../harness-host/harness-calls.ts";
import { endLeftTurns, turnRecordsIn } from "../harness-host/turn-processes.ts";
import { requireFreePort } from "../process/port.ts";
import { PROJECT_DIR } from "../process/project.ts";
import { runProgram } from "../process/run-program.ts";
import { endLeftCommands } from "../workspace-server/commands/end-left-commands.ts";
import { recordsIn, startWorkspaceServer } from "../workspace-server/workspace-server.ts";
import { sdkLine } from "./sdk-setup.ts";
import { parseWorkspaceOptions } from "./workspace-options.ts";

const main = async (stop: AbortSignal): Promise<void> => {
  const { port, publicHost, dir, token, sdk } = parseWorkspaceOptions(
    process.argv.slice(2),
    process.env,
    process.cwd(),
  );
  // Each port has a directory of its own. While the port is free, what is in there was left by a server that was killed.
  await requireFreePort(port);
  const stateDir = join(PROJECT_DIR, ".wrangler", `workspace-${port}`);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  await endLeftCommands(recordsIn(stateDir));
  // Also without a harness: the start that was killed may have had one.
  await endLeftTurns(turnRecordsIn(stateDir));
  const harness = await openHarnessCalls(sdk, { dir, stateDir });
  const named = publicHost === undefined ? {} : { publicHost };
  const server = await startWorkspaceServer(dir, stateDir, { port, token, harness, ...named });
  process.stdout.write(`Workspace: ${dir}\n`);
  process.stdout.write(`Serving on ${server.url}${publicHost === undefined ? "" : ` for https://${publicHost}`}\n`);
  if (sdk !== undefined) process.stdout.write(`${sdkLine(sdk)}\n`);
  if (!stop.aborted) await once(stop, "abort");
  await server.close();
};

await runProgram(main);
