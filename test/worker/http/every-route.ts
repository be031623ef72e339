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

/** What changes something, and reads that are sent as a change: path, method, a body that is sound. */
export const CHANGES = [
  [TURN, "POST", '{"threadId":"t","prompt":"Hello"}'],
  [`${RUN}/abort`, "POST", "{}"],
  [PERMISSION, "POST", '{"decision":"allow_once"}'],
  [`${RUN}/undo`, "POST", '{"dryRun":true}'],
  [`${RUN}/messages`, "POST", '{"text":"Hello"}'],
  [QUESTIONS, "POST", '{"declined":true}'],
  [THREAD, "PATCH", '{"title":"Taken"}'],
  [THREAD, "DELETE", "{}"],
  [`${THREAD}/compact`, "POST", "{}"],
  [`${THREAD}/rewind`, "POST", `{"beforeRunId":"${ID}"}`],
  [`${THREAD}/fork`, "POST", `{"beforeRunId":"${ID}"}`],
  [`${THREAD}/rules/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`, "DELETE", "{}"],
  [`${ACTIONS}/list-stocks`, "POST", "{}"],
  [`${ACTIONS}/get-stock`, "POST", `{"id":"${ID}"}`],
  [`${ACTIONS}/value-history`, "POST", '{"range":"1y"}'],
  [`${ACTIONS}/add-stock`, "POST", '{"symbol":"AAPL"}'],
  [`${ACTIONS}/update-stock`, "POST", `{"id":"${ID}","set":{}}`],
  [`${ACTIONS}/delete-stock`, "POST", '{"ids":[]}'],
  [`${ACTIONS}/view-screen`, "POST", "{}"],
  [`${ACTIONS}/list-schedules`, "POST", "{}"],
  [`${ACTIONS}/create-schedule`, "POST", '{"prompt":"Hello","cron":"0 0 1 1 *","timeZone":"UTC"}'],
  [`${ACTIONS}/delete-schedule`, "POST", `{"id":"${ID}"}`],
  [`${ACTIONS}/set-navigation`, "POST", '{"view":"stocks","path":"/stocks"}'],
  ["/_framework/settings", "PATCH", '{"notices":{"target":"none"}}'],
  [
    "/_framework/push",
    "POST",
    `{"endpoint":"https://fcm.googleapis.com/x","keys":{"p256dh":"${POINT}","auth":"${"A".repeat(22)}"},"label":"Phone"}`,
  ],
  [`/_framework/push/${ID}`, "DELETE", "{}"],
  ["/_framework/settings/quotes-key", "PUT", '{"source":"eodhd","key":"k"}'],
  ["/_framework/settings/quotes-key", "DELETE", "{}"],
  [`${ACTIONS}/find-symbol`, "POST", '{"q":"a"}'],
  [`${ACTIONS}/refresh-quotes`, "POST", "{}"],
  ["/_framework/account", "DELETE", '{"email":"ann@example.com"}'],
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
