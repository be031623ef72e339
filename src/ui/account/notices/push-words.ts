/** What keeps pushes from a person who has chosen them, in words. */
import type { DeviceList as Devices } from "../../../contract/notices/notice.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";

/** Undefined while there is a device that pushes reach, and none that has to be turned on again. */
export const pushTrouble = (list: Devices): string | undefined => {
  if (list.lapsed.length > 0) return explainLapsed(list);
  return list.devices.length === 0 ? "Nothing is pushed yet: no device is turned on." : undefined;
};

/** What has become of devices that subscribed with other keys of the server (api.md §9). There is at least one. */
const explainLapsed = ({ publicKey, devices, lapsed }: Devices): string => {
  if (publicKey === null)
    return "Push notifications are off on this server for now. Email is sent instead, except when the agent has finished.";
  const names = new Intl.ListFormat(WORDS_LOCALE).format(lapsed.map(({ label }) => label));
  const meanwhile =
    devices.length === 0 ? " Until then, email is sent instead, except when the agent has finished." : "";
  return `The server's keys have changed. Turn push notifications back on for ${names}.${meanwhile}`;
};
