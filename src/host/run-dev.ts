/** The steps of `npm run dev`, in order. */
import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { authSecretIn } from "./auth-secret.ts";
import { deniedScriptsLine, findDeniedScriptsThatRan } from "./denied-scripts.ts";
import type { DevOptions } from "./dev-options.ts";
import { type DevVariables, readDevVariables } from "./dev-variables.ts";
import { endLeftovers } from "./leftovers.ts";
import { applyMigrations } from "./migrations.ts";
import { requireFreePort } from "./port.ts";
import { PROJECT_DIR } from "./project.ts";
import { serve } from "./serve.ts";
import { StartRefusal } from "./start-refusal.ts";
import { endLeftCommands } from "./workspace/end-left-commands.ts";
import { startWorkspaceProcess } from "./workspace/workspace-process.ts";
import { recordsIn } from "./workspace/workspace-server.ts";

/**
 * Serves the app until `signal` aborts. When it settles, nothing that it started runs any more.
 *
 * @throws {StartRefusal} when it cannot start, or when wrangler ends by itself.
 */
export const runDev = async (options: DevOptions, signal: AbortSignal): Promise<void> => {
  const given = readDevVariables(options, {
    environment: process.env,
    devVarsText: readIfThere(join(PROJECT_DIR, ".dev.vars")),
    cwd: process.cwd(),
  });
  process.stderr.write(deniedScriptsLine(findDeniedScriptsThatRan(PROJECT_DIR)));
  makeDirectory(options.persistTo);
  if (options.hostWorkspace) refuseStateAround(given.workspaceDir, options.persistTo);
  const variables = { ...given, values: { BETTER_AUTH_SECRET: authSecretIn(options.persistTo), ...given.values } };
  await endLeftovers(options.persistTo);
  await endLeftCommands(recordsIn(options.persistTo));
  await requireFreePort(options.port);
  await applyMigrations(options.persistTo, signal);
  if (signal.aborted) return;
  if (options.hostWorkspace) await serveWithWorkspace(options, variables, signal);
  else await serve(options, variables, signal);
};

/** The real directory is served for as long as the app is; its address reaches the Worker with the other variables. */
const serveWithWorkspace = async (options: DevOptions, variables: DevVariables, signal: AbortSignal): Promise<void> => {
  const workspace = await startWorkspaceProcess(variables.workspaceDir, options.persistTo);
  const values = { ...variables.values, WORKSPACE_URL: workspace.url, WORKSPACE_TOKEN: workspace.token };
  const lost = new AbortController();
  void workspace.ended.then(() => lost.abort());
  try {
    await serve(options, { ...variables, values }, AbortSignal.any([signal, lost.signal]));
    if (!signal.aborted) throw new StartRefusal("The workspace server has ended by itself; start again.");
  } finally {
    await workspace.close();
  }
};

/** All that the agent could read there would be the app's own: log-ins' secret, everybody's stocks and conversations. */
const refuseStateAround = (workspaceDir: string, persistTo: string): void => {
  // As the disk has both, with links seen through.
  const [workspace, state] = [realpathSync(workspaceDir), realpathSync(persistTo)];
  if (workspace !== state && !workspace.startsWith(state.endsWith(sep) ? state : state + sep)) return;
  throw new StartRefusal(
    `--persist-to: ${persistTo} is the agent's workspace or above it. Name a directory beside the workspace or below it.`,
    2,
  );
};

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Nobody needs a .dev.vars under this command.
    return "";
  }
};

const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new StartRefusal(`--persist-to: ${path} cannot be made (${String(error)}). Name another directory.`, 2);
  }
};
