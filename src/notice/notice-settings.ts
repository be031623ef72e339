/** How a person wants to be told of each kind of notice. */
import * as z from "zod";
import { type NoticeChannel, type NoticeKind, NoticeSettings } from "../contract/notices/notice.ts";
import { parseJson } from "../contract/parse-json.ts";
import type { Recipient } from "../db/notices/recipients.ts";

/** What was set, as far as this release can read it. */
const Stored = z.object({
  permission: NoticeSettings.shape.permission.optional().catch(undefined),
  runEnd: NoticeSettings.shape.runEnd.optional().catch(undefined),
  target: NoticeSettings.shape.target.optional().catch(undefined),
  quietHours: NoticeSettings.shape.quietHours.catch(null).default(null),
});

/**
 * The settings in force. Until somebody chooses, people who have a device get everything as a push. Others are mailed only
 * what they need to know.
 */
export const settingsOf = ({ devices, settings }: Pick<Recipient, "devices" | "settings">): NoticeSettings => {
  const { permission, runEnd, target, quietHours } = Stored.parse(settings === null ? {} : parseJson(settings));
  const [important, other]: [NoticeChannel, NoticeChannel] = devices.length > 0 ? ["push", "push"] : ["mail", "none"];
  return { permission: permission ?? important, runEnd: runEnd ?? other, target: target ?? important, quietHours };
};

/** How a kind of notice is sent. A notice that takes another one back is pushed, since a mail cannot be taken back. */
export const channelOf = (kind: NoticeKind, { permission, runEnd, target }: NoticeSettings): NoticeChannel => {
  switch (kind) {
    case "permission":
    case "question":
    case "schedule":
      return permission;
    case "run_end":
      return runEnd;
    case "target":
      return target;
    case "close":
      return "push";
  }
};

/**
 * The kinds among these that are told at all. Kinds that a person needs to know come first: a digest of several kinds is sent as the
 * first of them.
 */
export const toldKinds = (kinds: readonly NoticeKind[], settings: NoticeSettings): NoticeKind[] =>
  kinds
    .filter((kind) => channelOf(kind, settings) !== "none")
    .sort((one, other) => Number(one === "run_end") - Number(other === "run_end"));

/**
 * Whether a push is mailed instead, because all of the person's devices subscribed with keys that have been replaced, and the person does
 * not know it. Like people without a device, they are mailed only what they need to know.
 */
export const isMailedInstead = (kind: NoticeKind, { devices, lapsed }: Recipient): boolean =>
  devices.length === 0 && lapsed.length > 0 && kind !== "run_end" && kind !== "close";

/** Whether a notice waits neither for the end of quiet hours nor for another day: a request to answer, or one that is closed. */
export const isUrgent = (kind: NoticeKind): boolean => kind === "permission" || kind === "question" || kind === "close";
