/** The devices that get a person's pushes (api.md §9). */
import type { Context, Hono } from "hono";
import * as z from "zod";
import { AppError } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import { type DeviceList, KEY_REMEDY, NewDevice } from "../../contract/notices/notice.ts";
import { openDb } from "../../db/db.ts";
import { type Device, findRecipient, removeDevice, saveDevice } from "../../db/notices/recipients.ts";
import { isDeviceKey } from "../../notice/push.ts";
import { pushEndpoint } from "../../notice/push-endpoint.ts";
import { findVapidKeys } from "../../notice/vapid.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { isLoopback } from "../cross-site.ts";
import { rateRefusal } from "../rate-limit.ts";
import { guardChange, route } from "../route.ts";

const PATH = "/_framework/push";

/** Mounts the routes: list devices, add one, remove one. */
export const mountPushRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PATH);
  app.post(PATH, jsonBody(NewDevice, deviceRefusal), async (c) => {
    const device = c.req.valid("json");
    // A switch that was deployed by mistake has no effect.
    const env = isLoopback(c.req.url) ? c.env : {};
    if (pushEndpoint(device.endpoint, env) === undefined) {
      throw new AppError(400, "endpoint: use one of a known push service");
    }
    if (!(await isDeviceKey(device.keys.p256dh))) throw new AppError(400, `keys.p256dh: ${KEY_REMEDY}`);
    const publicKey = findVapidKeys(c.env)?.publicKey;
    if (publicKey === undefined) throw new AppError(409, "Push is not set up here.");
    await refuseOverRate(c);
    const ids = { deviceId: crypto.randomUUID(), publicKey, nowMs: Date.now() };
    return c.json({ deviceId: await saveDevice(openDb(c.env.DB), c.var.caller.ownerEmail, device, ids) });
  });
  route(app, PATH, { GET: listDevices }, ["POST"]);
  route(app, `${PATH}/:device_id`, {
    DELETE: async (c) => {
      const deviceId = z.uuid().safeParse(c.req.param("device_id")).data;
      const isRemoved =
        deviceId !== undefined && (await removeDevice(openDb(c.env.DB), c.var.caller.ownerEmail, deviceId));
      if (!isRemoved) throw new AppError(404, "Device not found.");
      return c.json({ ok: true });
    },
  });
};

const deviceRefusal = (issues: Parameters<typeof describeProblems>[0]): AppError =>
  new AppError(400, describeProblems(issues, "body"));

const refuseOverRate = async (c: Context<AppEnv>): Promise<void> => {
  const refusal = await rateRefusal(c, c.env.ACTION_RATE);
  if (refusal !== undefined) throw refusal;
};

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
