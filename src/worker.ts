/** Entry: the app as fetch handler, and the Durable Object classes. No logic. */
import { createApp } from "./http/app.ts";
import { resolveCaller } from "./http/caller.ts";

export { RunObject } from "./run/run-object.ts";
export { SessionObject } from "./session/session-object.ts";
export { WorkspaceObject } from "./workspace/workspace-object.ts";

export default createApp({ resolveCaller });
