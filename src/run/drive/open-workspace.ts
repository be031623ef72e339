/** Which workspace an owner's agent works in: a real directory if one is served to them, else the durable one. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Env } from "../../env.ts";
import { AgentHost } from "../../harness/agent-sdk/agent-host.ts";
import { parseSettings } from "../../settings.ts";
import { openDurableWorkspace } from "../../workspace/durable/durable-workspace.ts";
import { type HostAddress, postToHost } from "../../workspace/host/host-post.ts";
import { HostWorkspace } from "../../workspace/host/host-workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The variables that this depends on. */
type Host = Pick<Env, "WORKSPACE_URL" | "WORKSPACE_TOKEN" | "WORKSPACE_OWNER">;

type Settings = Host & Parameters<typeof parseSettings>[0];

/** Opens the owner's workspace; in durable storage the directory is a path inside it. Connects to nothing: the first call finds out whether it is there. */
export const openWorkspace = async (env: Settings & Pick<Env, "WORKSPACES">, owner: OwnerEmail): Promise<Workspace> => {
  const address = hostAddress(env, owner);
  if (address !== undefined) return new HostWorkspace(address);
  return await openDurableWorkspace(env.WORKSPACES, owner, workspaceDirOf(env, owner));
};

/** The host that runs agents in the owner's real directory; undefined when none is served to them. Connects to nothing. */
export const findAgentHost = (env: Host, owner: OwnerEmail): AgentHost | undefined => {
  const address = hostAddress(env, owner);
  return address && new AgentHost(postToHost(address), new HostWorkspace(address));
};

/** The directory's name for people. A real directory that belongs to somebody else is not named: theirs is the root of the durable workspace. */
export const workspaceDirOf = (env: Settings, owner: OwnerEmail): string => {
  const isForeign = env.WORKSPACE_OWNER !== undefined && hostAddress(env, owner) === undefined;
  return isForeign ? "." : parseSettings(env).AGENT_WORKSPACE_DIR;
};

/** The owner's real directory; undefined when none is served to them. */
export const servedDirOf = (env: Settings, owner: OwnerEmail): string | undefined =>
  hostAddress(env, owner) === undefined ? undefined : parseSettings(env).AGENT_WORKSPACE_DIR;

/** Where the running app's own source is in the owner's directory, relative to its root; undefined when it is not in there. */
export const ownSourceDirOf = (env: Settings & Pick<Env, "OWN_SOURCE_DIR">, owner: OwnerEmail): string | undefined =>
  hostAddress(env, owner) === undefined ? undefined : env.OWN_SOURCE_DIR || undefined;

/** The host that runs agents for anybody at all, to delete there what was somebody's. */
export const findServedHost = (env: Host): AgentHost | undefined => {
  const address = servedAddress(env);
  return address && new AgentHost(postToHost(address), new HostWorkspace(address));
};

const allowedOwner = ({ WORKSPACE_OWNER }: Host): string | undefined =>
  WORKSPACE_OWNER?.trim().toLowerCase() || undefined;

/** Where the owner's directory is served, or undefined. A directory that is served belongs to `WORKSPACE_OWNER`. */
const hostAddress = (env: Host, owner: OwnerEmail): HostAddress | undefined => {
  const allowed = allowedOwner(env);
  return allowed === undefined || allowed === owner ? servedAddress(env) : undefined;
};

/**
 * Where a directory is served. When it has no `WORKSPACE_OWNER`, everybody who can sign in gets it, as under the dev command; that is
 * safe on loopback alone, so elsewhere nobody gets it.
 */
const servedAddress = (env: Host): HostAddress | undefined => {
  const { WORKSPACE_URL: url, WORKSPACE_TOKEN: token } = env;
  if (!url || !token) return undefined;
  const isServed = allowedOwner(env) !== undefined || (URL.canParse(url) && LOOPBACK.test(new URL(url).hostname));
  return isServed ? { url, token } : undefined;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
