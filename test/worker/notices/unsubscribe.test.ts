/** The link in a mail that ends mails: for whoever has it, without a sign-in (RFC 8058). */
import { env as plain } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { createApp } from "../../../src/http/app.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { unsubscribeToken } from "../../../src/notice/unsubscribe.ts";
import { tellTargetHit } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const tell = async (person: Somebody, symbol: string) => {
  const ownerEmail = OwnerEmail.parse(person.email);
  await tellTargetHit(env, { ownerEmail, stockId: symbol, symbol, side: "low", target: "150", nth: 1 });
  await sendDueNotices(env, Date.now());
};

/** Asked by nobody: no cookie is sent. */
const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
  const init = { method, headers, ...(method === "POST" && { body: "List-Unsubscribe=One-Click" }) };
  return await createApp().request(`https://tally.test${path}`, init, env, Object.assign(context, { exports: {} }));
};

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

const pathFor = async (email: string) => `/_framework/unsubscribe/${await unsubscribeToken(env, email)}`;

describe("the link of a mail", () => {
  it("ends mails when a mail program posts to it, and can be used again", async () => {
    const person = somebody();
    await person.ask("GET", "/_framework/settings");
    await tell(person, "AAPL");
    const [path = ""] = /\/_framework\/unsubscribe\/[\da-f.]+/.exec(JSON.stringify(mailsTo(person.email))) ?? [];
    expect((await ask("POST", path, FORM)).status).toBe(200);
    expect((await ask("POST", path, FORM)).status).toBe(200);
    await tell(person, "MSFT");
    // The first one was the code to sign in with.
    expect(mailsTo(person.email).slice(1)).toMatchObject([{ subject: "AAPL is at or below its buy target" }]);
    const { body } = await person.ask("GET", "/_framework/settings");
    expect(body).toMatchObject({ notices: { permission: "none", runEnd: "none", target: "none" } });
  });

  it("leaves what is pushed as it is", async () => {
    const person = somebody();
    await person.ask("PATCH", "/_framework/settings", { notices: { target: "push", runEnd: "mail" } });
    expect((await ask("POST", await pathFor(person.email), FORM)).status).toBe(200);
    const { body } = await person.ask("GET", "/_framework/settings");
    expect(body).toMatchObject({ notices: { permission: "none", runEnd: "none", target: "push" } });
  });

  it("holds, too, when the device that took the place of mails is gone again", async () => {
    const person = somebody();
    await person.ask("GET", "/_framework/settings");
    const { deviceId } = await aPhone(person);
    expect((await ask("POST", await pathFor(person.email), FORM)).status).toBe(200);
    expect(await person.ask("DELETE", `/_framework/push/${deviceId}`)).toMatchObject({ status: 200 });
    const before = mailsTo(person.email).length;
    await tell(person, "AAPL");
    expect(mailsTo(person.email).slice(before)).toEqual([]);
    const { body } = await person.ask("GET", "/_framework/settings");
    expect(body).toMatchObject({ notices: { permission: "push", runEnd: "none", target: "push" } });
  });

  it("changes nothing when it is opened, and shows a button that posts to it", async () => {
    const person = somebody();
    const before = await person.ask("GET", "/_framework/settings");
    const answer = await ask("GET", await pathFor(person.email));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await answer.text()).toContain('<form method="post"><button>Stop these emails</button></form>');
    expect((await person.ask("GET", "/_framework/settings")).body).toEqual(before.body);
  });

  it("ends pushes that are mailed instead as well, or nothing where one of the two cannot be stored", async () => {
    const person = somebody();
    await person.ask("PATCH", "/_framework/settings", { notices: { target: "push" } });
    const { deviceId } = await aPhone(person);
    await env.DB.prepare("UPDATE push_devices SET public_key = 'another' WHERE id = ?").bind(deviceId).run();
    const stored = async () => {
      const { body } = await person.ask("GET", "/_framework/settings");
      const device = env.DB.prepare("SELECT count(*) AS n FROM push_devices WHERE id = ?").bind(deviceId);
      return [
        z.object({ notices: z.object({ permission: z.string() }) }).parse(body).notices.permission,
        await device.first("n"),
      ];
    };
    await env.DB.exec(
      `CREATE TRIGGER keep_device BEFORE DELETE ON push_devices WHEN OLD.id = '${deviceId}' BEGIN SELECT RAISE(ABORT, 'kept'); END`,
    );
    const answer = await ask("POST", await pathFor(person.email), FORM);
    await env.DB.exec("DROP TRIGGER keep_device");
    expect([answer.status, await stored()]).toEqual([500, ["mail", 1]]);
    expect((await ask("POST", await pathFor(person.email), FORM)).status).toBe(200);
    expect(await stored()).toEqual(["none", 0]);
  });

  it("of somebody else cannot be made, nor used by a page of another site", async () => {
    const [person, other] = [somebody(), somebody()];
    const [own, others] = [await pathFor(person.email), await pathFor(other.email)];
    const forged = `${others.split(".")[0]}.${own.split(".")[1]}`;
    expect((await ask("POST", forged, FORM)).status).toBe(404);
    expect((await ask("GET", "/_framework/unsubscribe/x")).status).toBe(404);
    expect((await ask("POST", own, { ...FORM, "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });

  it("stores nothing of a person who has no account any more", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await ask("POST", await pathFor(email), FORM)).status).toBe(200);
    const row = await env.DB.prepare("SELECT 1 FROM notice_settings WHERE owner_email = ?").bind(email).first();
    expect(row).toBeNull();
  });
});
