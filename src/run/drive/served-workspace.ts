/** Where an owner's real directory is served, if it is, and what it is called. Connects to nothing, and needs nothing that does. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Env } from "../../env.ts";
import { parseSettings } from "../../settings.ts";
import type { HostAddress } from "../../workspace/host/host-post.ts";

/** The variables that this depends on. */
export type ServedVariables = Pick<Env, "WORKSPACE_URL" | "WORKSPACE_TOKEN" | "WORKSPACE_OWNER">;

export type WorkspaceVariables = ServedVariables & Parameters<typeof parseSettings>[0];

/**
 * The name of the owner's directory, for people and for what they allow (decision 0219). Durable storage under the path of a real directory
 * is another place than the directory itself, so its name says that it is durable.
 */
export const workspaceDirOf = (env: WorkspaceVariables, owner: OwnerEmail): string => {
  const root = durableRootOf(env);
  return servedDirOf(env, owner) ?? (root === "." ? root : `durable:${root}`);
};

/** Where in durable storage an owner's directory is. Somebody else's real directory is not named: its path is not for everybody's eyes. */
export const durableRootOf = (env: WorkspaceVariables): string =>
  allowedOwner(env) === undefined ? parseSettings(env).AGENT_WORKSPACE_DIR : ".";

/**
 * The name of the owner's real directory; undefined when none is served to them. A directory on another machine that has no name is named
 * after its host: what was allowed for durable storage, or for another host, is not allowed there (decision 0219).
 */
export const servedDirOf = (env: WorkspaceVariables, owner: OwnerEmail): string | undefined => {
  const url = hostAddress(env, owner)?.url;
  if (url === undefined) return undefined;
  const { AGENT_WORKSPACE_DIR: name } = parseSettings(env);
  return name === "." && !isLoopback(url) ? (URL.parse(url)?.host ?? name) : name;
};

/** Where the running app's own source is in the owner's directory, relative to its root; undefined when it is not in there. */
export const ownSourceDirOf = (
  env: WorkspaceVariables & Pick<Env, "OWN_SOURCE_DIR">,
  owner: OwnerEmail,
): string | undefined => (hostAddress(env, owner) === undefined ? undefined : env.OWN_SOURCE_DIR || undefined);

const allowedOwner = ({ WORKSPACE_OWNER }: ServedVariables): string | undefined =>
  WORKSPACE_OWNER?.trim().toLowerCase() || undefined;

/** Where the owner's directory is served, or undefined. A directory that is served belongs to `WORKSPACE_OWNER`. */
export const hostAddress = (env: ServedVariables, owner: OwnerEmail): HostAddress | undefined => {
  const allowed = allowedOwner(env);
  return allowed === undefined || allowed === owner ? servedAddress(env) : undefined;
};

/**
 * Where a directory is served. When it has no `WORKSPACE_OWNER`, everybody who can sign in gets it, as under the dev command; that is
 * safe on loopback alone, so elsewhere nobody gets it.
 */
export const servedAddress = (env: ServedVariables): HostAddress | undefined => {
  const { WORKSPACE_URL: url, WORKSPACE_TOKEN: token } = env;
  if (!url || !token) return undefined;
  const isServed = allowedOwner(env) !== undefined || isLoopback(url);
  return isServed ? { url, token } : undefined;
};

const isLoopback = (url: string): boolean => LOOPBACK.test(URL.parse(url)?.hostname ?? "");

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
