/** Every route of api.md §2, for tables that ask all of them. Ids are nobody's. */

export const RUN = "/_framework/runs/0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";
const PERMISSION = `${RUN}/permissions/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`;
const QUESTIONS = `${RUN}/questions/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`;
const THREAD = "/_framework/threads/some%2Fthread";
export const ACTIONS = "/_framework/actions";
export const TURN = "/api/agent/turn";
const ID = "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";

/** A public key as a browser makes it. */
const POINT = "BB-Ad-O_FKJv-8OlWDFjaK23CfzA41D8mvZhDfWfeNbjWV3Yhd6pm6pxVlMaxy5IviHGTdUtL_sqi-whQpbRi1I";

/** What only reads. */
export const READS = [
  ...[RUN, `${RUN}/events`, `${RUN}/prompt`, PERMISSION, QUESTIONS],
  ...["/_framework/threads", `${THREAD}/runs`, `${THREAD}/rules`],
  ...[`${ACTIONS}/list-stocks`, `${ACTIONS}/get-stock`, `${ACTIONS}/view-screen`],
  ...[`${ACTIONS}/list-schedules`, `${ACTIONS}/value-history?range=1y`],
  ...["/_framework/session", "/_framework/models", "/_framework/account/export"],
  ...["/_framework/settings", "/_framework/push"],
] as const;

/**
 * What changes something, and reads that are sent as a change: path, method, a body that is sound, and the status that it is answered with
 * where there is nothing yet; null for a turn and for the key of a source, which others answer.
 */
export const CHANGES = [
  [TURN, "POST", '{"threadId":"t","prompt":"Hello"}', null],
  [`${RUN}/abort`, "POST", "{}", 404],
  [PERMISSION, "POST", '{"decision":"allow_once"}', 404],
  [`${RUN}/undo`, "POST", '{"dryRun":true}', 404],
  [`${RUN}/messages`, "POST", '{"text":"Hello"}', 404],
  [QUESTIONS, "POST", '{"declined":true}', 404],
  [THREAD, "PATCH", '{"title":"Taken"}', 404],
  [THREAD, "DELETE", "{}", 404],
  [`${THREAD}/compact`, "POST", "{}", 404],
  [`${THREAD}/rewind`, "POST", `{"beforeRunId":"${ID}"}`, 404],
  [`${THREAD}/fork`, "POST", `{"beforeRunId":"${ID}"}`, 404],
  [`${THREAD}/rules/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`, "DELETE", "{}", 404],
  [`${ACTIONS}/list-stocks`, "POST", "{}", 200],
  [`${ACTIONS}/get-stock`, "POST", `{"id":"${ID}"}`, 404],
  [`${ACTIONS}/value-history`, "POST", '{"range":"1y"}', 200],
  [`${ACTIONS}/add-stock`, "POST", '{"symbol":"AAPL"}', 200],
  [`${ACTIONS}/update-stock`, "POST", `{"id":"${ID}","set":{}}`, 404],
  [`${ACTIONS}/delete-stock`, "POST", '{"ids":[]}', 200],
  [`${ACTIONS}/view-screen`, "POST", "{}", 200],
  [`${ACTIONS}/list-schedules`, "POST", "{}", 200],
  [`${ACTIONS}/create-schedule`, "POST", '{"prompt":"Hello","cron":"0 0 1 1 *","timeZone":"UTC"}', 200],
  [`${ACTIONS}/delete-schedule`, "POST", `{"id":"${ID}"}`, 404],
  [`${ACTIONS}/set-navigation`, "POST", '{"view":"stocks","path":"/stocks"}', 200],
  ["/_framework/settings", "PATCH", '{"notices":{"target":"none"}}', 200],
  [
    "/_framework/push",
    "POST",
    `{"endpoint":"https://fcm.googleapis.com/x","keys":{"p256dh":"${POINT}","auth":"${"A".repeat(22)}"},"label":"Phone"}`,
    200,
  ],
  [`/_framework/push/${ID}`, "DELETE", "{}", 404],
  ["/_framework/settings/quotes-key", "PUT", '{"source":"eodhd","key":"k"}', null],
  ["/_framework/settings/quotes-key", "DELETE", "{}", 200],
  [`${ACTIONS}/find-symbol`, "POST", '{"q":"a"}', 200],
  [`${ACTIONS}/refresh-quotes`, "POST", "{}", 200],
  ["/_framework/account", "DELETE", '{"email":"ann@example.com"}', 200],
] as const;

/** Below `/_framework/auth/`: what asks, and what changes something. Their answers are better-auth's but for refusals. */
export const AUTH_READS = [
  ...["get-session", "list-sessions", "organization/list", "organization/get-full-organization"],
  ...["organization/list-members", "organization/get-active-member", "organization/get-invitation"],
  ...["organization/list-invitations", "organization/list-user-invitations"],
] as const;
export const AUTH_CHANGES = [
  ...["email-otp/send-verification-otp", "sign-in/email-otp", "sign-out", "revoke-session", "revoke-sessions"],
  ...["revoke-other-sessions", "organization/create", "organization/update", "organization/delete"],
  ...["organization/set-active", "organization/leave", "organization/invite-member", "organization/cancel-invitation"],
  ...["organization/accept-invitation", "organization/reject-invitation", "organization/remove-member"],
  ...["organization/update-member-role"],
] as const;
