/** Which workspace an owner's agent works in: a real directory if one is served to them, otherwise the durable one. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Env } from "../../env.ts";
import { AgentHost } from "../../harness/agent-sdk/agent-host.ts";
import { openDurableWorkspace } from "../../workspace/durable/durable-workspace.ts";
import { postToHost } from "../../workspace/host/host-post.ts";
import { HostWorkspace } from "../../workspace/host/host-workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  durableRootOf,
  hostAddress,
  type ServedVariables,
  servedAddress,
  type WorkspaceVariables,
} from "./served-workspace.ts";

/**
 * Opens the owner's workspace; in durable storage the directory is a path inside it. Connects to nothing: the first call finds out whether
 * the workspace is there.
 */
export const openWorkspace = async (
  env: WorkspaceVariables & Pick<Env, "WORKSPACES">,
  owner: OwnerEmail,
): Promise<Workspace> => {
  const address = hostAddress(env, owner);
  if (address !== undefined) return new HostWorkspace(address);
  return await openDurableWorkspace(env.WORKSPACES, owner, durableRootOf(env));
};

/** The host that runs agents in the owner's real directory; undefined when none is served to them. Connects to nothing. */
export const findAgentHost = (env: ServedVariables, owner: OwnerEmail): AgentHost | undefined => {
  const address = hostAddress(env, owner);
  return address && new AgentHost(postToHost(address), new HostWorkspace(address));
};

/** The host that runs agents, whoever it serves: what it keeps of any owner can be deleted there. */
export const findServedHost = (env: ServedVariables): AgentHost | undefined => {
  const address = servedAddress(env);
  return address && new AgentHost(postToHost(address), new HostWorkspace(address));
};
