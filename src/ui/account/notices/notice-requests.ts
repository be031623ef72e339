/** Requests about notices: how the person is told of what, and the devices that get pushes (api.md §9). */
import type { DeviceList, NewDevice, NoticeSettings, NoticeSettingsPatch } from "../../../contract/notices/notice.ts";
import { ignoreGone } from "../../api/ignore-gone.ts";
import { requestJson } from "../../api/request-json.ts";

const SETTINGS = "/_framework/settings";

const PUSH = "/_framework/push";

/** The settings' key in the cache. */
export const NOTICE_SETTINGS_KEY = ["notice-settings"] as const;

/** The devices' key in the cache. */
export const DEVICES_KEY = ["push-devices"] as const;

type Settings = { readonly notices: NoticeSettings };

/** How the person is told of what. */
export const readNoticeSettings = async (signal: AbortSignal): Promise<NoticeSettings> =>
  (await requestJson<Settings>(SETTINGS, { signal })).notices;

/** What is left out stays. Returns all settings after the change. */
export const saveNoticeSettings = async (notices: NoticeSettingsPatch): Promise<NoticeSettings> =>
  (await requestJson<Settings>(SETTINGS, { method: "PATCH", body: { notices } })).notices;

/** `publicKey` is null where push is not set up. */
export const readDevices = (signal: AbortSignal): Promise<DeviceList> => requestJson(PUSH, { signal });

/** Returns the device's id: the same one when that browser subscribes again. */
export const addDevice = async (device: NewDevice): Promise<string> =>
  (await requestJson<{ readonly deviceId: string }>(PUSH, { method: "POST", body: device })).deviceId;

/** The device gets nothing from then on. One that is gone already counts as removed. */
export const removeDevice = async (deviceId: string): Promise<void> => {
  await requestJson(`${PUSH}/${deviceId}`, { method: "DELETE" }).catch(ignoreGone);
};
