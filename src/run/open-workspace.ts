/** Which workspace an owner's agent works in: a real directory where one is served to them, else the durable one. */
import type { OwnerEmail } from "../contract/ids.ts";
import { type Env, parseSettings } from "../env.ts";
import { openDurableWorkspace } from "../workspace/durable-workspace.ts";
import { type HostAddress, HostWorkspace } from "../workspace/host-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The variables that decide it. */
type Host = Pick<Env, "WORKSPACE_URL" | "WORKSPACE_TOKEN" | "WORKSPACE_OWNER">;

type Settings = Host & Parameters<typeof parseSettings>[0];

/** Opens the owner's workspace; in durable storage the directory is a path inside it. Nothing is reached yet: the first call to it finds out whether it is there. */
export const openWorkspace = async (env: Settings & Pick<Env, "WORKSPACES">, owner: OwnerEmail): Promise<Workspace> => {
  const address = hostAddress(env, owner);
  if (address !== undefined) return new HostWorkspace(address);
  return await openDurableWorkspace(env.WORKSPACES, owner, workspaceDirOf(env, owner));
};

/** The directory as people know it. Somebody else's real one is not named: theirs is the root of the durable workspace. */
export const workspaceDirOf = (env: Settings, owner: OwnerEmail): string => {
  const isForeign = env.WORKSPACE_OWNER !== undefined && hostAddress(env, owner) === undefined;
  return isForeign ? "." : parseSettings(env).AGENT_WORKSPACE_DIR;
};

/** Where the running app's own source is in the owner's directory, relative to its root; undefined where it is not. */
export const ownSourceDirOf = (env: Settings & Pick<Env, "OWN_SOURCE_DIR">, owner: OwnerEmail): string | undefined =>
  hostAddress(env, owner) === undefined ? undefined : env.OWN_SOURCE_DIR || undefined;

/**
 * Where the owner's directory is served, or undefined. A directory that is served belongs to `WORKSPACE_OWNER`. Without one it is served to everybody who can sign in, as
 * under the dev command; that is right on loopback alone, so elsewhere nobody gets it.
 */
const hostAddress = (
  { WORKSPACE_URL: url, WORKSPACE_TOKEN: token, WORKSPACE_OWNER }: Host,
  owner: OwnerEmail,
): HostAddress | undefined => {
  if (!url || !token) return undefined;
  const allowed = WORKSPACE_OWNER?.trim().toLowerCase();
  const isServed = allowed ? owner === allowed : URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
  return isServed ? { url, token } : undefined;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
