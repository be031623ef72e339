/** `GET /_framework/session`: who is signed in (CONTRACT §2, spec §5). */
import { it } from "vitest";
import { answerOf } from "../../support/somebody.ts";
import { fetchAs } from "../../support/stocks-client.ts";

it("tells the caller's e-mail, lower-cased, and organization, null without one", async ({ expect }) => {
  const inOrg = await fetchAs("Ann@Example.com", "/_framework/session", { headers: { "x-test-org": "org_1" } });
  const alone = await fetchAs("ann@example.com", "/_framework/session");
  const body = { email: "ann@example.com", authDisabled: false };
  expect(await answerOf(inOrg)).toEqual({ status: 200, body: { ...body, orgId: "org_1" } });
  expect(await answerOf(alone)).toEqual({ status: 200, body: { ...body, orgId: null } });
});
