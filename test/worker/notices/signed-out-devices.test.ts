/** A device that is signed out from elsewhere is told nothing any more. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { tellTargetHit } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { subscribe } from "../../support/workerd/push-device.ts";
import { type Browser, signIn } from "../../support/workerd/sign-in.ts";

nothingDue();

const Subscription = z.looseObject({ endpoint: z.string() });

/** A browser with pushes turned on. A deployed Worker takes endpoints of real services alone, so the test's own is put in its place. */
const withPushes = async (browser: Browser & { readonly email: string }) => {
  const device = await subscribe();
  const { endpoint, ...subscription } = Subscription.parse(device.subscription);
  const real = `https://updates.push.services.mozilla.com/wpush/v2/${crypto.randomUUID()}`;
  const answer = await browser.ask("POST", "/_framework/push", { ...subscription, endpoint: real, label: "Phone" });
  const { deviceId } = z.object({ deviceId: z.string() }).parse(answer.body);
  await env.DB.prepare("UPDATE push_devices SET endpoint = ? WHERE id = ?").bind(endpoint, deviceId).run();
  return { browser, deviceId, told: async () => (await device.notices()).length };
};

/** One person in two browsers that both get pushes. */
const twoDevices = async () => {
  const browser = await signIn();
  const { email } = browser;
  const laptop = await withPushes(browser);
  const phone = await withPushes(await signIn(email));
  const hit = (nth: number) =>
    tellTargetHit(env, {
      ...{ ownerEmail: OwnerEmail.parse(email), stockId: "AAPL", symbol: "AAPL", side: "low", target: "1", nth },
    });
  return { laptop, phone, email, hit };
};

const end = ({ ask }: Browser, name: string, body = {}) => ask("POST", `/_framework/auth/${name}`, body);

it("all others are signed out: this one alone is told", async () => {
  const { laptop, phone, hit } = await twoDevices();
  await hit(1);
  expect(await end(laptop.browser, "revoke-other-sessions")).toMatchObject({ status: 200 });
  await hit(2);
  expect([await laptop.told(), await phone.told()]).toEqual([2, 1]);
});

/** Signs somebody in this many more times, before a device of theirs: better-auth lists at most 100 log-ins, the oldest first. */
const signInBefore = async (deviceId: string, count: number): Promise<void> => {
  const device = "logins JOIN push_devices ON logins.id = login_id WHERE push_devices.id = ?1";
  await env.DB.prepare(
    `INSERT INTO logins (id, user_id, token, expires_at_ms, created_at_ms, updated_at_ms)
     SELECT value || logins.id, user_id, value || token, expires_at_ms, logins.created_at_ms, updated_at_ms
     FROM json_each(?2), ${device}`,
  )
    .bind(deviceId, JSON.stringify(Array.from({ length: count }, (_, nth) => `${nth}-`)))
    .run();
};

const loginsOf = (email: string) =>
  env.DB.prepare("SELECT count(*) AS n FROM logins JOIN users ON users.id = user_id WHERE email = ?")
    .bind(email)
    .first("n");

it("all others are signed out, and are told nothing any more, also when they are more than one list holds", async () => {
  const laptop = await withPushes(await signIn());
  const { email } = laptop.browser;
  await signInBefore(laptop.deviceId, 150);
  const phone = await withPushes(await signIn(email));
  const desk = await signIn(email);
  expect(await end(desk, "revoke-other-sessions")).toEqual({ status: 200, body: { status: true } });
  expect(await loginsOf(email)).toBe(1);
  desk.dropCookieCache();
  expect((await desk.session()).status).toBe(200);
  const devices = env.DB.prepare("SELECT id FROM push_devices WHERE id IN (?, ?)");
  expect((await devices.bind(laptop.deviceId, phone.deviceId).all()).results).toEqual([]);
});

it("one that was signed out itself signs nobody out, whatever its cookies say", async () => {
  const { laptop, phone, email } = await twoDevices();
  await end(laptop.browser, "revoke-other-sessions");
  expect(await end(phone.browser, "revoke-other-sessions")).toMatchObject({ status: 401 });
  expect(await loginsOf(email)).toBe(1);
});

it("one is signed out from another", async () => {
  const { laptop, phone, hit } = await twoDevices();
  const Logins = z.array(z.object({ token: z.string() }));
  const logins = Logins.parse((await laptop.browser.ask("GET", "/_framework/auth/list-sessions")).body);
  const token = phone.browser.cookies.get("__Host-tally.session_token")?.split(".")[0];
  expect(logins.map((login) => login.token)).toContain(token);
  await end(laptop.browser, "revoke-session", { token });
  await hit(1);
  expect([await laptop.told(), await phone.told()]).toEqual([1, 0]);
});

it("everything is signed out, also where it is not known by which log-in pushes were turned on", async () => {
  const { laptop, phone, hit } = await twoDevices();
  await env.DB.prepare("UPDATE push_devices SET login_id = NULL WHERE id = ?").bind(phone.deviceId).run();
  await end(laptop.browser, "revoke-sessions");
  await hit(1);
  expect([await laptop.told(), await phone.told()]).toEqual([0, 0]);
});

it("a person signs out: their other device is told as before", async () => {
  const { laptop, phone, hit } = await twoDevices();
  await env.DB.prepare("UPDATE push_devices SET login_id = NULL WHERE id = ?").bind(phone.deviceId).run();
  await end(laptop.browser, "sign-out");
  await hit(1);
  expect([await laptop.told(), await phone.told()]).toEqual([0, 1]);
});

/** Ends the log-in under which a device was turned on, as the cron does once it has run out. */
const runOut = async (deviceId: string): Promise<void> => {
  const ended = "DELETE FROM logins WHERE id = (SELECT login_id FROM push_devices WHERE id = ?)";
  await env.DB.prepare(ended).bind(deviceId).run();
};

it("a log-in has run out, and another one is signed out: its device is told as before", async () => {
  const { laptop, phone, hit } = await twoDevices();
  await runOut(phone.deviceId);
  await end(laptop.browser, "sign-out");
  await hit(1);
  expect([await laptop.told(), await phone.told()]).toEqual([0, 1]);
});

it("a log-in has run out, and all others are signed out: nobody knows who has that device", async () => {
  const { laptop, phone, hit } = await twoDevices();
  await runOut(phone.deviceId);
  await end(laptop.browser, "revoke-other-sessions");
  await hit(1);
  expect([await laptop.told(), await phone.told()]).toEqual([1, 0]);
});

it("a browser that has signed in again belongs to its new log-in, and is on since the same day", async () => {
  const { laptop, phone, email } = await twoDevices();
  const again = await signIn(email);
  const read = async () =>
    await env.DB.prepare("SELECT * FROM push_devices WHERE id = ?")
      .bind(phone.deviceId)
      .first<Record<string, unknown>>();
  const before = await read();
  const { endpoint, p256dh, auth, public_key } = before ?? {};
  const real = "https://updates.push.services.mozilla.com/wpush/v2/again";
  await env.DB.prepare("UPDATE push_devices SET endpoint = ?, created_at_ms = 5 WHERE id = ?")
    .bind(real, phone.deviceId)
    .run();
  const told = { endpoint: real, keys: { p256dh, auth }, label: "Phone" };
  expect((await again.ask("POST", "/_framework/push", told)).body).toEqual({ deviceId: phone.deviceId });
  expect(await read()).toMatchObject({
    created_at_ms: 5,
    public_key,
    login_id: expect.not.stringMatching(String(before?.login_id)),
  });
  await env.DB.prepare("UPDATE push_devices SET endpoint = ? WHERE id = ?").bind(endpoint, phone.deviceId).run();
  await end(again, "sign-out");
  expect(await read()).toBeNull();
  expect(laptop.deviceId).not.toBe(phone.deviceId);
});
