/** This browser as a device that gets pushes: whether it can, and how it starts and stops being one. */
import { appWorker, startedAppWorker, wantsAppWorker } from "../../state/app-worker.ts";
import { isAppleMobile, isInstalled } from "../../state/apple-mobile.ts";
import type { Session } from "../person.ts";
import { describeBrowser } from "../settings/describe-browser.ts";
import { addDevice, readDevices, removeDevice } from "./notice-requests.ts";

/** Kept for the person: whoever signs in next on this browser finds nothing of it. */
const DEVICE_KEY = "tally.device";

/** The subscription that the server was told of last, and the sign-in (`person.ts`) it was told in. Kept for the person too. */
const TOLD_KEY = "tally.device-told";

/** The id under which the server knows this browser; undefined when it gets no pushes of this person. */
export const thisDeviceId = (): string | undefined => localStorage.getItem(DEVICE_KEY) ?? undefined;

/** Why this browser cannot get pushes, with what to do about it; undefined when it can. Asks the person nothing. */
export const pushObstacle = (session: Session | undefined): string | undefined => {
  if (isAppleMobile() && !isInstalled()) {
    return "Add Tally to the Home Screen as described above, open it from there, and turn push notifications on here.";
  }
  if (!("PushManager" in window && "Notification" in window && "serviceWorker" in navigator)) {
    return "This browser cannot receive notifications. Use another browser, or choose email.";
  }
  if (Notification.permission === "denied") return BLOCKED;
  return wantsAppWorker(session) ? undefined : "Start the app with --service-worker to try pushes here.";
};

const BLOCKED =
  "This browser blocks notifications from this site. Allow them in its settings for this site, then open this again.";

/** Why turning on failed, in words for people. */
export class PushProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "PushProblem";
  }
}

/**
 * Asks the browser's permission and subscribes. Call it from a tap: browsers ask at no other time.
 *
 * @throws {PushProblem} when the browser refuses.
 * @throws {ApiError} when the server does.
 */
export const turnOn = async (publicKey: string): Promise<void> => {
  const permission = await Notification.requestPermission();
  if (permission === "denied") throw new PushProblem(BLOCKED);
  if (permission !== "granted") throw new PushProblem("Nothing was turned on: the browser was not given permission.");
  const subscription = await subscribe(publicKey).catch((cause: unknown) => {
    throw new PushProblem("The browser's push service cannot be reached. Try again later.", cause);
  });
  await tellServer(subscription);
};

const tellServer = async (subscription: PushSubscription): Promise<void> => {
  const { p256dh = "", auth = "" } = subscription.toJSON().keys ?? {};
  const { words: label } = describeBrowser(navigator.userAgent);
  const formerId = thisDeviceId();
  const deviceId = await addDevice({ endpoint: subscription.endpoint, keys: { p256dh, auth }, label });
  // To the server a new subscription is a new device, and the device of the former subscription would be listed for good.
  if (formerId !== undefined && formerId !== deviceId) await removeDevice(formerId);
  localStorage.setItem(DEVICE_KEY, deviceId);
  localStorage.setItem(TOLD_KEY, markOf(subscription));
};

/** A mark that differs for each subscription and after each sign-in. */
const markOf = (subscription: PushSubscription | null | undefined): string =>
  `${subscription?.endpoint} ${localStorage.getItem("tally.person")}`;

const endpointOf = (mark: string): string | undefined => mark.split(" ", 1)[0];

/**
 * Tells the server again of a browser that gets pushes, after each sign-in and for a new subscription: the device belongs to the current
 * log-in, not to one that has run out (decision 0220), and browsers replace subscriptions without a word. The server may not know the
 * device any more. If the subscription is new, the push service had ended the old one, and the device is added again. If it is the old
 * one, the device was removed from elsewhere, and stays removed.
 */
export const renewDevice = async (): Promise<void> => {
  const deviceId = thisDeviceId();
  if (deviceId === undefined || Notification.permission !== "granted") return;
  const mark = markOf(await (await appWorker())?.pushManager.getSubscription());
  const told = localStorage.getItem(TOLD_KEY);
  if (told === mark) return;
  const { publicKey, devices, lapsed } = await readDevices(AbortSignal.timeout(RENEWAL_LIMIT_MS));
  const isThis = (device: { readonly deviceId: string }): boolean => device.deviceId === deviceId;
  const isReplaced = told !== null && endpointOf(told) !== endpointOf(mark);
  const isLapsed = lapsed.some(isThis);
  if (!isReplaced && !isLapsed && !devices.some(isThis)) localStorage.removeItem(DEVICE_KEY);
  else if (publicKey === null || isLapsed) localStorage.setItem(TOLD_KEY, mark);
  else await tellServer(await subscribe(publicKey));
};

/** Longest wait for the list of devices, in ms. Nobody waits for it: the next page tries again. */
const RENEWAL_LIMIT_MS = 30_000;

const subscribe = async (publicKey: string): Promise<PushSubscription> => {
  const worker = await startedAppWorker();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return await worker.pushManager.subscribe(options).catch(async (error: unknown) => {
    // A subscription that was made for other keys of the server gets nothing, and keeps a new one from being made.
    const old = await worker.pushManager.getSubscription();
    if (old === null) throw error;
    await old.unsubscribe();
    return await worker.pushManager.subscribe(options);
  });
};

/** Ends pushes to this browser, here and on the server. @throws {ApiError} when the server cannot be told; then nothing has changed. */
export const turnOff = async (): Promise<void> => {
  const deviceId = thisDeviceId();
  if (deviceId !== undefined) await removeDevice(deviceId);
  localStorage.removeItem(DEVICE_KEY);
  await (await (await appWorker())?.pushManager.getSubscription())?.unsubscribe();
};
