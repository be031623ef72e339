/** Devices that subscribed with VAPID keys that were replaced since: what their person is told, and how (decision 0196). */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRunEnd } from "../../../src/notice/tell.ts";
import { unsubscribe } from "../../../src/notice/unsubscribe.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const TARGET = "S0 is at or below its buy target";

const PUSHES = { permission: "push", runEnd: "push", target: "push" } as const;

const NO_KEYS = { ...env, VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "", VAPID_SUBJECT: "" };

/** Somebody who has chosen pushes, on a phone that subscribed before the keys were replaced. */
const withLapsedPhone = async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await person.ask("PATCH", "/_framework/settings", { notices: PUSHES });
  await env.DB.prepare("UPDATE push_devices SET public_key = 'another' WHERE id = ?").bind(phone.deviceId).run();
  return { person, phone };
};

/** Mails of notices: the first one was the code to sign in with. */
const noticesMailedTo = ({ email }: Somebody) => mailsTo(email).slice(1);

const aRun = ({ email }: Somebody) => ({
  ownerEmail: OwnerEmail.parse(email),
  threadId: ThreadId.parse("t"),
  runId: RunId.parse(crypto.randomUUID()),
});

const tellTarget = async (person: Somebody, world = env) => {
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await sendDueNotices(world, nowMs);
};

it("who has chosen pushes is mailed what they need to know, with the reason, until a device takes pushes again", async () => {
  const { person, phone } = await withLapsedPhone();
  const request = { requestId: RequestId.parse(crypto.randomUUID()), expiresAtMs: Date.now() + 3_600_000 };
  await tellRequest(env, aRun(person), { ...request, what: "permission" });
  await tellTarget(person);
  await tellRunEnd(env, aRun(person), "completed");
  const mails = noticesMailedTo(person);
  expect(mails.map(({ subject }) => subject)).toEqual(["The agent needs your permission", TARGET]);
  expect(mails[1]?.text).toMatch(
    /push notifications no longer reach your devices\. Open Account in Tally to turn them on again\.\n$/,
  );
  expect(mails[1]?.text.match(/https?:/g)).toHaveLength(1);
  await aPhone(person);
  await tellTarget(person);
  expect([noticesMailedTo(person).length, await phone.notices()]).toEqual([2, []]);
});

it("where pushes are not set up any more, they are mailed too", async () => {
  const person = somebody();
  await aPhone(person);
  await person.ask("PATCH", "/_framework/settings", { notices: PUSHES });
  await tellTarget(person, NO_KEYS);
  expect(noticesMailedTo(person).map(({ subject }) => subject)).toEqual([TARGET]);
});

it("the link that ends mails ends these, and leaves the choice of pushes as it is", async () => {
  const { person } = await withLapsedPhone();
  await tellTarget(person);
  await unsubscribe(env, OwnerEmail.parse(person.email));
  await tellTarget(person);
  expect(noticesMailedTo(person)).toHaveLength(1);
  expect((await person.ask("GET", "/_framework/settings")).body).toMatchObject({ notices: PUSHES });
});

it("they are listed apart, and can be removed by their person alone", async () => {
  const { person, phone } = await withLapsedPhone();
  const list = async () => (await person.ask("GET", "/_framework/push")).body;
  expect(await list()).toMatchObject({ devices: [], lapsed: [{ deviceId: phone.deviceId, label: "Phone" }] });
  expect((await somebody().ask("GET", "/_framework/push")).body).toMatchObject({ devices: [], lapsed: [] });
  expect((await somebody().ask("DELETE", `/_framework/push/${phone.deviceId}`)).status).toBe(404);
  expect((await person.ask("DELETE", `/_framework/push/${phone.deviceId}`)).status).toBe(200);
  expect(await list()).toMatchObject({ devices: [], lapsed: [] });
});
