/** The directory of the dev command's data, its `--persist-to`. */
import { mkdirSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { StartRefusal } from "../../process/run-program.ts";

/**
 * Creates it where there is none, closed to other users of the machine.
 *
 * @throws {StartRefusal} when there is none and it cannot be created.
 */
export const makeStateDirectory = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartRefusal(`--persist-to: ${path} cannot be created (${String(error)}). Name another directory.`, 2);
  }
};

/**
 * Refuses a state directory that is or holds the workspace. The agent could read the app's own data there: the secret of log-ins,
 * everybody's stocks and conversations.
 *
 * @throws {StartRefusal} when `persistTo` is the workspace or contains it. Both exist.
 */
export const refuseStateAround = (workspaceDir: string, persistTo: string): void => {
  // The real paths of both: links are resolved, and names have their case as on disk.
  const [workspace, state] = [realpathSync.native(workspaceDir), realpathSync.native(persistTo)];
  if (workspace !== state && !workspace.startsWith(state.endsWith(sep) ? state : state + sep)) return;
  throw new StartRefusal(
    `--persist-to: ${persistTo} is the agent's workspace or contains it. Name a directory next to the workspace or below it.`,
    2,
  );
};
