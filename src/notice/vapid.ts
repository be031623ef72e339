/** The keys with which push services know this deployment (RFC 8292). Made by `npm run push-keys`. */
import { log } from "../contract/log.ts";
import type { Env } from "../env.ts";

/** All three are there and look right. Only a push service can say whether the two keys belong together. */
export type VapidKeys = { readonly publicKey: string; readonly privateKey: string; readonly subject: string };

/** An uncompressed point of P-256, 65 bytes that begin with 4, and a number of 32 bytes, in base64url. */
const PUBLIC_KEY = /^B[A-Za-z0-9_-]{86}$/;
const PRIVATE_KEY = /^[A-Za-z0-9_-]{43}$/;
const SUBJECT = /^(mailto:|https:\/\/)\S+$/;

/** The keys, or undefined where push is not set up. Keys that cannot be right are logged. */
export const findVapidKeys = ({
  VAPID_PUBLIC_KEY: publicKey = "",
  VAPID_PRIVATE_KEY: privateKey = "",
  VAPID_SUBJECT: subject = "",
}: Pick<Env, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY" | "VAPID_SUBJECT">): VapidKeys | undefined => {
  if (publicKey === "" && privateKey === "" && subject === "") return undefined;
  if (PUBLIC_KEY.test(publicKey) && PRIVATE_KEY.test(privateKey) && SUBJECT.test(subject)) {
    return { publicKey, privateKey, subject };
  }
  log.error(
    "VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY or VAPID_SUBJECT cannot be read, so nothing is pushed. Run npm run push-keys.",
  );
  return undefined;
};

/** How long a push service may accept a token of ours, in seconds: half of what RFC 8292 §2 allows. */
const TOKEN_S = 12 * 3_600;

/**
 * How long a token is used, in ms: "Don't refresh your JWT more frequently than once per hour"
 * (https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers).
 */
const TOKEN_USE_MS = 3_600_000;

/** The headers that this isolate has made lately. */
const made = new Map<string, { readonly header: string; readonly atMs: number }>();

const findMade = (name: string, nowMs: number): string | undefined => {
  for (const [one, { atMs }] of made) if (Math.abs(nowMs - atMs) >= TOKEN_USE_MS) made.delete(one);
  return made.get(name)?.header;
};

/** The `Authorization` header for a push service, the same for an hour. */
export const vapidHeader = async (endpoint: URL, keys: VapidKeys, nowMs: number): Promise<string> => {
  const name = [endpoint.origin, ...Object.values(keys)].join(" ");
  const found = findMade(name, nowMs);
  if (found !== undefined) return found;
  const header = await newHeader(endpoint, keys, nowMs);
  // Pushes that begin together all use the header that was made first.
  const first = findMade(name, nowMs);
  if (first === undefined) made.set(name, { header, atMs: nowMs });
  return first ?? header;
};

/** The library's own is not used: it signs only for `https:` endpoints, and the dev command's are on loopback. */
const newHeader = async (endpoint: URL, keys: VapidKeys, nowMs: number): Promise<string> => {
  const point = bytesOf(keys.publicKey);
  const coordinates = { x: base64UrlOf(point.slice(1, 33)), y: base64UrlOf(point.slice(33, 65)) };
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const jwk = { kty: "EC", crv: "P-256", ...coordinates, d: keys.privateKey };
  const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
  const claims = { aud: endpoint.origin, exp: Math.floor(nowMs / 1_000) + TOKEN_S, sub: keys.subject };
  const encoder = new TextEncoder();
  const [head, body] = [{ typ: "JWT", alg: "ES256" }, claims].map((part) =>
    base64UrlOf(encoder.encode(JSON.stringify(part))),
  );
  const signed = encoder.encode(`${head}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, signed));
  return `vapid t=${head}.${body}.${base64UrlOf(signature)}, k=${keys.publicKey}`;
};

/** The bytes of a text in base64url. */
export const bytesOf = (base64Url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64Url.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

const base64UrlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
