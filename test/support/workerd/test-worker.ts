/**
 * The Worker as the in-workerd tests run it: the product's app and objects, with a caller resolver that reads a header,
 * so that a test can be two people, and with objects that can be made to die between two steps.
 */
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { createApp } from "../../../src/http/app.ts";

export { CrashingRunObject as RunObject, CrashingSessionObject as SessionObject } from "./crashing-objects.ts";
export { WatchedWorkspaceObject as WorkspaceObject } from "./watched-workspace.ts";

export default createApp({
  resolveCaller: async (request) => {
    const email = request.headers.get("x-test-email");
    return email === null
      ? undefined
      : { ownerEmail: OwnerEmail.parse(email), orgId: request.headers.get("x-test-org") };
  },
});
