/** `npm run dev`: the app on this machine, without an account or a key. Ends with 0 on Ctrl-C or TERM. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endLeftTurns, turnRecordsIn } from "../harness-host/turn-processes.ts";
import { requireFreePort } from "../process/port.ts";
import { PROJECT_DIR } from "../process/project.ts";
import { runProgram, StartRefusal } from "../process/run-program.ts";
import { endLeftCommands } from "../workspace-server/commands/end-left-commands.ts";
import { recordsIn } from "../workspace-server/workspace-server.ts";
import { startDemoPrices } from "./demo/demo-server.ts";
import { deniedScriptsLine, findDeniedScriptsThatRan } from "./dev/denied-scripts.ts";
import { asksForHelp, DEV_HELP, type DevOptions, parseDevOptions } from "./dev/dev-options.ts";
import { type DevVariables, readDevVariables } from "./dev/dev-variables.ts";
import { claimDirectory, removeDevRecord } from "./dev/leftovers.ts";
import { applyMigrations } from "./dev/migrations.ts";
import { authSecretIn } from "./dev/secret-files.ts";
import { serve } from "./dev/serve.ts";
import { makeStateDirectory, refuseStateAround } from "./dev/state-directory.ts";
import { startWorkspaceProcess } from "./dev/workspace-process.ts";

/**
 * Serves the app until `signal` aborts. When it settles, nothing that it started is still running.
 *
 * @throws {StartRefusal} when it cannot start, or when wrangler ends by itself.
 */
const runDev = async (options: DevOptions, signal: AbortSignal): Promise<void> => {
  const given = readDevVariables(options, {
    environment: process.env,
    devVarsText: readIfThere(join(PROJECT_DIR, ".dev.vars")),
    configText: readIfThere(join(PROJECT_DIR, "wrangler.toml")),
    cwd: process.cwd(),
  });
  process.stderr.write(deniedScriptsLine(findDeniedScriptsThatRan(PROJECT_DIR)));
  makeStateDirectory(options.persistTo);
  if (options.hostWorkspace) refuseStateAround(given.workspaceDir, options.persistTo);
  await claimDirectory(options.persistTo);
  try {
    await runOnClaimed(options, given, signal);
  } finally {
    removeDevRecord(options.persistTo);
  }
};

/** The same on a directory that no other dev command uses. */
const runOnClaimed = async (options: DevOptions, given: DevVariables, signal: AbortSignal): Promise<void> => {
  const variables = { ...given, values: { BETTER_AUTH_SECRET: authSecretIn(options.persistTo), ...given.values } };
  await endLeftCommands(recordsIn(options.persistTo));
  await endLeftTurns(turnRecordsIn(options.persistTo));
  await requireFreePort(options.port);
  await applyMigrations(options.persistTo, signal);
  if (signal.aborted) return;
  const demo = options.demo ? await startDemoPrices() : undefined;
  const all = { ...variables, values: { ...variables.values, ...(demo && { DEMO_PRICES_URL: demo.url }) } };
  try {
    if (options.hostWorkspace) await serveWithWorkspace(options, all, signal);
    else await serve(options, all, signal);
  } finally {
    await demo?.close();
  }
};

/** Serves the real directory for as long as the app; the Worker gets its address with the other variables. */
const serveWithWorkspace = async (options: DevOptions, variables: DevVariables, signal: AbortSignal): Promise<void> => {
  const workspace = await startWorkspaceProcess(variables.workspaceDir, options.persistTo, variables.sdk);
  const values = { ...variables.values, WORKSPACE_URL: workspace.url, WORKSPACE_TOKEN: workspace.token };
  const lost = new AbortController();
  void workspace.ended.then(() => lost.abort());
  try {
    await serve(options, { ...variables, values }, AbortSignal.any([signal, lost.signal]));
    if (!signal.aborted) throw new StartRefusal("The workspace server ended unexpectedly; start again.");
  } finally {
    await workspace.close();
  }
};

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // `.dev.vars` is optional under this command. If wrangler.toml is missing, wrangler complains itself.
    return "";
  }
};

/** The oldest Node this runs on. npm scripts find the newer one of the optional dependencies first. */
const NODE_MAJOR = 24;

const main = async (stop: AbortSignal): Promise<void> => {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
    throw new StartRefusal(
      `Node ${process.versions.node} is too old. Start with \`npm run dev\`, which brings its own.`,
    );
  }
  const args = process.argv.slice(2);
  if (asksForHelp(args)) process.stdout.write(DEV_HELP);
  else await runDev(parseDevOptions(args, process.cwd()), stop);
};

await runProgram(main);
