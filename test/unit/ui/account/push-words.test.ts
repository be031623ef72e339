/** What keeps pushes from their person, in words. */
import { expect, it } from "vitest";
import { pushTrouble } from "../../../../src/ui/account/notices/push-words.ts";

const named = (label: string) => ({ deviceId: label, label, createdAt: "2026-11-24T00:00:00.000Z" });
const [phone, laptop] = [named("Chrome on Android"), named("Firefox on Linux")];

it.each<[string | null, (typeof phone)[], string]>([
  [
    null,
    [],
    "Push notifications are off on this server for now. Email is sent instead, except when the agent has finished.",
  ],
  [
    "key",
    [],
    "The server's keys have changed. Turn push notifications back on for Chrome on Android and Firefox on Linux. Until then, email is sent instead, except when the agent has finished.",
  ],
  ["key", [laptop], "The server's keys have changed. Turn push notifications back on for Chrome on Android."],
])("with the key %s and the devices %j", (publicKey, devices, words) => {
  const lapsed = [phone, laptop].filter((device) => !devices.includes(device));
  expect(pushTrouble({ publicKey, devices, lapsed })).toBe(words);
});

it("without any device says that nothing is pushed, and with one nothing", () => {
  expect(pushTrouble({ publicKey: "key", devices: [], lapsed: [] })).toBe(
    "Nothing is pushed yet: no device is turned on.",
  );
  expect(pushTrouble({ publicKey: "key", devices: [phone], lapsed: [] })).toBeUndefined();
});
