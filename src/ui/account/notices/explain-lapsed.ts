/** What has become of the devices that subscribed with other keys of the server (api.md §9). */
import type { DeviceList } from "../../../contract/notices/notice.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";

/** Says it to a person who wants pushes, when there is such a device. */
export const explainLapsed = ({ publicKey, devices, lapsed }: DeviceList): string => {
  if (publicKey === null) return "This server sends no pushes at present. What cannot wait is mailed.";
  const names = new Intl.ListFormat(WORDS_LOCALE).format(lapsed.map(({ label }) => label));
  const meanwhile = devices.length === 0 ? " Until then, what cannot wait is mailed." : "";
  return `The server’s keys have changed. Turn pushes on again on ${names}.${meanwhile}`;
};
