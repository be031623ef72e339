/** Where notices reach a person: the devices that get pushes, and the link in a mail that ends mails (api.md §9). */

import type { Context, Hono } from "hono";
import * as z from "zod";
import { AppError, signInFirst } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import type { OwnerEmail } from "../../contract/ids.ts";
import { isLoopbackUrl } from "../../contract/local/loopback.ts";
import { type DeviceList, KEY_REMEDY, NewDevice } from "../../contract/notices/notice.ts";
import { openDb } from "../../db/db.ts";
import { type Device, findRecipient, removeDevice, saveDevice } from "../../db/notices/recipients.ts";
import { isDeviceKey } from "../../notice/push.ts";
import { pushEndpoint } from "../../notice/push-endpoint.ts";
import { ownerOfToken, UNSUBSCRIBE_PATH, unsubscribe } from "../../notice/unsubscribe.ts";
import { findVapidKeys } from "../../notice/vapid.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody, limitBody } from "../body.ts";
import { refuseCrossSite } from "../cross-site.ts";
import { limitAddress, limitChange } from "../rate-limit.ts";
import { guardChange, refuseOtherMethods, route } from "../route.ts";

const PUSH_PATH = "/_framework/push";

/** Mounts the routes of devices: list devices, add one, remove one. */
export const mountPushRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PUSH_PATH);
  app.post(PUSH_PATH, jsonBody(NewDevice, deviceRefusal), async (c) => {
    const device = c.req.valid("json");
    // A switch that was deployed by mistake has no effect.
    const env = isLoopbackUrl(c.req.url) ? c.env : {};
    if (pushEndpoint(device.endpoint, env) === undefined) {
      throw new AppError(400, "endpoint: use one of a known push service");
    }
    if (!(await isDeviceKey(device.keys.p256dh))) throw new AppError(400, `keys.p256dh: ${KEY_REMEDY}`);
    const publicKey = findVapidKeys(c.env)?.publicKey;
    if (publicKey === undefined) throw new AppError(409, "Push is not set up here.");
    await limitChange(c);
    const { ownerEmail, loginId } = c.var.caller;
    const facts = { deviceId: crypto.randomUUID(), publicKey, loginId, nowMs: Date.now() };
    const deviceId = await saveDevice(openDb(c.env.DB), ownerEmail, device, facts);
    if (deviceId === undefined) throw signInFirst();
    return c.json({ deviceId });
  });
  route(app, PUSH_PATH, { GET: listDevices }, ["POST"]);
  route(app, `${PUSH_PATH}/:device_id`, {
    DELETE: async (c) => {
      const { ownerEmail } = c.var.caller;
      const db = openDb(c.env.DB);
      const { data: deviceId } = z.uuid().safeParse(c.req.param("device_id"));
      if (deviceId === undefined) throw deviceNotFound();
      await limitChange(c, async () => {
        const { devices, lapsed } = await findRecipient(db, ownerEmail, undefined);
        if (![...devices, ...lapsed].some(({ id }) => id === deviceId)) throw deviceNotFound();
      });
      if (!(await removeDevice(db, ownerEmail, deviceId))) throw deviceNotFound();
      return c.json({ ok: true });
    },
  });
};

const deviceNotFound = (): AppError => new AppError(404, "Device not found.");

const deviceRefusal = (issues: Parameters<typeof describeProblems>[0]): AppError =>
  new AppError(400, describeProblems(issues, "body"));

const listDevices = async (c: Context<AppEnv>): Promise<Response> => {
  const publicKey = findVapidKeys(c.env)?.publicKey;
  const { devices, lapsed } = await findRecipient(openDb(c.env.DB), c.var.caller.ownerEmail, publicKey);
  return c.json({
    publicKey: publicKey ?? null,
    devices: devices.map(listed),
    lapsed: lapsed.map(listed),
  } satisfies DeviceList);
};

const listed = ({ id: deviceId, label, created_at_ms: createdAtMs }: Device): DeviceList["devices"][number] => ({
  ...{ deviceId, label, createdAt: new Date(createdAtMs).toISOString() },
});

const MAIL_PATH = `${UNSUBSCRIBE_PATH}/:token`;

/**
 * Mounts the link: a mail program posts to it (RFC 8058), and a person who opens it gets a button. Opening the link changes nothing:
 * programs that look at mails for their readers open every link.
 */
export const mountUnsubscribeRoute = (app: Hono<AppEnv>): void => {
  app.get(MAIL_PATH, limitAddress, async (c) => {
    await requireOwner(c);
    return page(c, ASK);
  });
  app.post(MAIL_PATH, limitAddress, refuseCrossSite, limitBody, async (c) => {
    await unsubscribe(c.env, await requireOwner(c));
    return page(c, DONE);
  });
  refuseOtherMethods(app, MAIL_PATH, ["GET", "POST"]);
};

const requireOwner = async (c: Context<AppEnv>): Promise<OwnerEmail> => {
  const owner = await ownerOfToken(c.env, c.req.param("token") ?? "");
  if (owner === undefined) throw new AppError(404, "Not found.");
  return owner;
};

const ASK =
  '<p>Stop emails about your stocks and chats?</p><form method="post"><button>Stop these emails</button></form>';

const DONE =
  "<p>You will not get any more of these emails. To turn them on again, open Account in Tally, then Notices.</p>";

/** Nothing in the page comes from a request. */
const page = (c: Context<AppEnv>, body: string): Response => {
  // Otherwise the form's request would not say where it comes from, and would be refused.
  c.header("Referrer-Policy", "same-origin");
  c.header(
    "Content-Security-Policy",
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">';
  return c.html(
    `<!doctype html><html lang="en"><head>${head}<title>Tally</title></head><body><main><h1>Tally</h1>${body}</main></body></html>`,
  );
};
