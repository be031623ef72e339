/** Sends a notice to one device. */
import { encryptNotification } from "@block65/webcrypto-web-push";
import { sha256Hex } from "../contract/digest.ts";
import { log } from "../contract/log.ts";
import type { PushedNotice } from "../contract/notices/notice.ts";
import { withTimeLimit } from "../contract/within.ts";
import type { Device } from "../db/notices/recipients.ts";
import type { Env } from "../env.ts";
import { pushEndpoint } from "./push-endpoint.ts";
import { bytesOf, type VapidKeys, vapidHeader } from "./vapid.ts";

/** How long a push service may take to answer, in ms. */
export const ANSWER_LIMIT_MS = 10_000;

/**
 * Each notice is filled up to this many bytes before it is encrypted, so that its length says nothing. The longest notice has fewer. More
 * would not reach Firefox on Android: Mozilla hands a push on to Google's service as base64, with its headers, in a message of 4,096 bytes.
 */
const NOTICE_BYTES = 2_560;

/** Longest `Topic` (RFC 8030 §5.4), in characters. */
const TOPIC_LENGTH = 32;

/**
 * What became of a push. `gone`: the subscription is over. `later`: the push may or may not have been delivered. `refused`: it was not
 * delivered, and the status does not say why.
 */
type PushResult = "sent" | "gone" | "later" | "refused";

/** `pauseMs`: how long the push service asks to be left alone; 0 when it does not say. */
export type PushAnswer = { readonly result: PushResult; readonly pauseMs: number };

/** Whether a key is a point of the curve, as a browser's key is. Nothing can be encrypted for any other key. */
export const isDeviceKey = async (p256dh: string): Promise<boolean> => {
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  try {
    await crypto.subtle.importKey("raw", bytesOf(p256dh), algorithm, false, []);
    return true;
  } catch {
    return false;
  }
};

/** Pushes once. If the push is repeated, the device shows it in place of the first, because both have the same tag. Never rejects. */
export const pushTo = async (
  env: Env,
  keys: VapidKeys,
  device: Device,
  notice: PushedNotice,
  { nowMs, expiresAtMs }: { readonly nowMs: number; readonly expiresAtMs: number },
): Promise<PushAnswer> => {
  const endpoint = pushEndpoint(device.endpoint, env);
  if (endpoint === undefined) return { result: "gone", pauseMs: 0 };
  try {
    const { p256dh, auth } = device;
    const subscription = { endpoint: device.endpoint, expirationTime: null, keys: { p256dh, auth } };
    const body = await encryptNotification(subscription, bytesOfNotice(notice), { pad: false });
    const send = async (signal: AbortSignal) => {
      const answer = await fetch(endpoint, {
        method: "POST",
        // A push service does not redirect. Following a redirect would leave the allowed hosts.
        redirect: "manual",
        signal,
        headers: {
          Authorization: await vapidHeader(endpoint, keys, nowMs),
          "Content-Encoding": "aes128gcm",
          "Content-Type": "application/octet-stream",
          // Microsoft's service refuses 0.
          TTL: String(Math.max(1, Math.floor((expiresAtMs - nowMs) / 1_000))),
          Urgency: notice.kind === "permission" || notice.kind === "question" ? "high" : "normal",
          ...(OF_REQUESTS.has(notice.kind) && { Topic: await topicOf(notice) }),
        },
        body,
      });
      await answer.body?.cancel();
      return answer;
    };
    const answer = await withTimeLimit(ANSWER_LIMIT_MS, send);
    return { result: resultOf(answer.status, endpoint), pauseMs: pauseOf(answer.headers.get("Retry-After"), nowMs) };
  } catch (error) {
    log.warn("A push was not sent.", { host: endpoint.hostname, error });
    return { result: "later", pauseMs: 0 };
  }
};

/**
 * Kinds that are about a request. They have a topic, so that the push that closes a request replaces one that was not delivered yet. Others
 * have none: Google's service keeps four topics for a device that is away, and drops a push with a fifth
 * (https://github.com/webpush-wg/webpush-protocol/pull/62).
 */
const OF_REQUESTS: ReadonlySet<PushedNotice["kind"]> = new Set(["permission", "question", "close"]);

/** The topic is made from the tag, and reveals nothing about it. */
const topicOf = async ({ tag }: PushedNotice): Promise<string> =>
  (await sha256Hex(new TextEncoder().encode(tag))).slice(0, TOPIC_LENGTH);

/** The notice as JSON, with blanks after it. */
const bytesOfNotice = (notice: PushedNotice): Uint8Array<ArrayBuffer> => {
  const json = new TextEncoder().encode(JSON.stringify(notice));
  const bytes = new Uint8Array(Math.max(NOTICE_BYTES, json.length)).fill(" ".charCodeAt(0));
  bytes.set(json);
  return bytes;
};

/** RFC 9110 §10.2.3: seconds or a date. 0 for what cannot be read. */
const pauseOf = (retryAfter: string | null, nowMs: number): number => {
  if (retryAfter === null) return 0;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs;
  return pauseMs > 0 ? pauseMs : 0;
};

/**
 * RFC 8030 §5 to §8, RFC 8292 §4. A key that does not fit is answered with 401 by Mozilla, 403 by Google, and 400 or 403 by Apple.
 * Microsoft's service answers 406 when it takes no more for now (https://github.com/microsoft/microsoft-ui-xaml/issues/8091).
 */
const resultOf = (status: number, { hostname }: URL): PushResult => {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  const isPassing = status === 406 || status === 408 || status === 429 || status >= 500;
  if (isPassing) log.warn("A push service is not ready.", { status, host: hostname });
  else
    log.error("A push was refused. If all of a host's are, look at the VAPID variables.", { status, host: hostname });
  return isPassing ? "later" : "refused";
};
