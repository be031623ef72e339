/** Notices: what a person is told when nobody is looking, and how they want to be told (api.md §9). */
import * as z from "zod";
import { isTimeZone } from "../schedules/zone-time.ts";

/** What a notice is about. `close` takes back a notice that was answered elsewhere. */
export const NoticeKind = z.enum(["permission", "question", "run_end", "target", "schedule", "close"]);
export type NoticeKind = z.infer<typeof NoticeKind>;

/**
 * What is pushed to a device. `tag` is the same for all notices of one thing, `url` a path of the app. It can be read on a lock screen, so
 * nothing in it comes from a prompt, a file, a command or an amount.
 */
export const PushedNotice = z.object({
  kind: NoticeKind,
  tag: z.string(),
  title: z.string(),
  url: z.string().startsWith("/"),
});
export type PushedNotice = z.infer<typeof PushedNotice>;

const NoticeChannel = z.enum(["push", "mail", "none"], "use push, mail or none");
export type NoticeChannel = z.infer<typeof NoticeChannel>;

const ClockTime = z.string("use a time such as 22:00").regex(/^([01]\d|2[0-3]):[0-5]\d$/, "use a time such as 22:00");

/** Local times between which a person is told only of permission requests and questions. They span midnight if `to` is before `from`. */
export const QuietHours = z
  .strictObject({
    from: ClockTime,
    to: ClockTime,
    timeZone: z.string("use a name such as Europe/Berlin").refine(isTimeZone, "use a name such as Europe/Berlin"),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], error: "use another time than from" });
export type QuietHours = z.infer<typeof QuietHours>;

/** How a person is told of permission requests and questions, of runs that end, and of targets; and when not. */
export const NoticeSettings = z.object({
  permission: NoticeChannel,
  runEnd: NoticeChannel,
  target: NoticeChannel,
  quietHours: QuietHours.nullable(),
});
export type NoticeSettings = z.infer<typeof NoticeSettings>;

/** What is left out stays as it is. */
export const NoticeSettingsPatch = z.strictObject({
  permission: NoticeChannel.optional(),
  runEnd: NoticeChannel.optional(),
  target: NoticeChannel.optional(),
  quietHours: QuietHours.nullable().optional(),
});
export type NoticeSettingsPatch = z.infer<typeof NoticeSettingsPatch>;

export const KEY_REMEDY = "use the subscription's key";

/** A key of that many characters in base64url. Browsers leave out the padding, other programs may not. */
const pushKey = (length: number) =>
  z
    .string(KEY_REMEDY)
    .overwrite((key) => key.replace(/={1,2}$/, ""))
    .regex(/^[A-Za-z0-9_-]+$/, KEY_REMEDY)
    .length(length, KEY_REMEDY);

/** Body of `POST /_framework/push`: what a browser's `PushSubscription` says, and a name for the device. */
export const NewDevice = z.object({
  endpoint: z.string("use the subscription's endpoint").max(2_000, "use at most 2,000 characters"),
  keys: z.object({
    p256dh: pushKey(87),
    auth: pushKey(22),
  }),
  label: z.string("use 1 to 80 characters").trim().min(1, "use 1 to 80 characters").max(80, "use 1 to 80 characters"),
});
export type NewDevice = z.infer<typeof NewDevice>;

const ListedDevice = z.object({ deviceId: z.uuid(), label: z.string(), createdAt: z.iso.datetime() });

/**
 * `publicKey` is null where push is not set up. `lapsed` devices subscribed with another key: nothing is pushed to them until they are
 * turned on again.
 */
export const DeviceList = z.object({
  publicKey: z.string().nullable(),
  devices: z.array(ListedDevice),
  lapsed: z.array(ListedDevice),
});
export type DeviceList = z.infer<typeof DeviceList>;
