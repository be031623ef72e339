/**
 * A push service on loopback, as strict as the real ones: it checks the token of the sender, decrypts what it gets with the
 * subscription's own keys, and keeps it. Controlled over HTTP, since tests inside workerd have no other way to reach it;
 * `push-device.ts` is their end of it.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A push as it arrived; `topic` is empty where it has none. */
type Received = { readonly topic: string; readonly ttl: number; readonly urgency: string; readonly notice: unknown };

/** What a push is answered. */
type Reply = { readonly status: number; readonly retryAfter?: string };

type Subscription = {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
  readonly received: Received[];
  /** What waits for the device while it is away. */
  waiting?: Received[] | undefined;
  /** What the next pushes are answered; 201 when there is none left. */
  readonly replies: Reply[];
  /** The key that it is bound to: the one of the first push, as nobody subscribes with a browser here. */
  key?: string;
  /** The token of the last push. */
  token?: { readonly authorization: string; readonly exp: number };
};

/** RFC 8291: the keys come from the agreement of both sides, the subscription's secret and the message's salt. */
const decrypt = (body: Buffer, { ecdh, auth }: Subscription): unknown => {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const [senderKey, sealed] = [body.subarray(21, 21 + idLength), body.subarray(21 + idLength)];
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const input = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(senderKey), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", input, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const opener = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  opener.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
  return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
};

/**
 * Where the sender can be found. Apple's service refuses names that nobody can own: https://github.com/web-push-libs/web-push/issues/947,
 * https://github.com/0cv/herdr-mobile-relay/issues/7, https://github.com/alphastorm/omp-session-gateway/issues/173.
 */
const isContact = (subject: string): boolean =>
  /^(mailto:[^\s@<>]+@|https:\/\/)([\w-]+\.)+(?!(local|localhost|invalid)\b)[a-z]{2,}(\/\S*)?$/.test(subject);

/** RFC 8292: signed with the key it names, for this origin, not over, by somebody who says where to find them. */
const isSigned = (authorization: string, origin: string): boolean => {
  const [, head = "", body = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return false;
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const { alg }: Record<string, unknown> = JSON.parse(Buffer.from(head, "base64url").toString());
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, "base64url").toString());
  // That a token is valid for a day at most (RFC 8292 §2) is not looked at: tests hold the sender's clock, years from now.
  const isValid = alg === "ES256" && Number(claims.exp) * 1_000 > Date.now();
  const isOwn = claims.aud === origin && isContact(String(claims.sub));
  const ieee = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  return (
    isValid && isOwn && verify("sha256", Buffer.from(`${head}.${body}`), ieee, Buffer.from(signature, "base64url"))
  );
};

/** How often Apple lets a sender make a new token, in s. */
const TOKEN_S = 3_600;

/**
 * Whether a token is the last one, or an hour newer: "Don't refresh your JWT more frequently than once per hour"
 * (https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers). The hour is that
 * of the tokens themselves, as tests hold the sender's clock, and each subscription counts for itself, as they share the keys.
 */
const isRested = (authorization: string, subscription: Subscription): boolean => {
  const claims: Record<string, unknown> = JSON.parse(
    Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString(),
  );
  const [last, token] = [subscription.token, { authorization, exp: Number(claims.exp) }];
  subscription.token = token;
  return last?.authorization === authorization || Math.abs(token.exp - (last?.exp ?? 0)) >= TOKEN_S;
};

const URGENCIES: ReadonlySet<string> = new Set(["very-low", "low", "normal", "high"]);

/**
 * Largest message of Google's service, in bytes, and what Mozilla's adds to a push that goes to Firefox on Android by it: the keys, in
 * base64 as the body is (`autoendpoint/src/routers/fcm` of autopush-rs). Other services take 4,096 bytes of a body, as RFC 8030 §7.2 asks.
 */
const MAX_MESSAGE_BYTES = 4_096;
const MESSAGE_HEAD_BYTES = 150;

/** How many topics Google's service keeps for a device that is away: https://github.com/webpush-wg/webpush-protocol/pull/62. */
const MAX_TOPICS = 4;

/** What is left for a device that comes back: of each topic the last, and of no more topics than are kept. Which ones, nobody promises. */
const keptOf = (waiting: readonly Received[]): Received[] => {
  const last = new Map(waiting.map((push) => [push.topic, push]));
  last.delete("");
  const kept = new Set([...last.values()].slice(-MAX_TOPICS));
  return waiting.filter((push) => push.topic === "" || kept.has(push));
};

const take = async (subscription: Subscription, request: IncomingMessage): Promise<Reply> => {
  const { headers } = request;
  if (!isSigned(headers.authorization ?? "", `http://${headers.host}`)) return { status: 403 };
  const [, key = ""] = /k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  subscription.key ??= key;
  if (subscription.key !== key) return { status: 403 };
  if (!isRested(headers.authorization ?? "", subscription)) return { status: 429 };
  if (headers["content-encoding"] !== "aes128gcm" || !/^[\w-]{1,32}$/.test(String(headers.topic ?? "none")))
    return { status: 400 };
  // RFC 8030 §5.2 and §5.3. Microsoft's service takes no 0: https://github.com/SherClockHolmes/webpush-go/issues/66.
  if (!/^[1-9]\d*$/.test(headers.ttl?.toString() ?? "") || !URGENCIES.has(String(headers.urgency)))
    return { status: 400 };
  const body = await buffer(request);
  if (MESSAGE_HEAD_BYTES + Math.ceil(body.length / 3) * 4 > MAX_MESSAGE_BYTES) return { status: 413 };
  const notice = decrypt(body, subscription);
  const { status, ...reply } = subscription.replies.shift() ?? { status: 201 };
  const { topic = "", ttl, urgency } = headers;
  // One that is answered with an error may have been delivered all the same: 599 says it was.
  if (status < 300 || status === 599) {
    (subscription.waiting ?? subscription.received).push({
      topic: String(topic),
      ttl: Number(ttl),
      urgency: String(urgency),
      notice,
    });
  }
  return { ...reply, status: status === 599 ? 503 : status };
};

/** Starts it. `url` has no slash at its end. */
export const startPushServer = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const subscriptions = new Map<string, Subscription>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, verb = "", id = ""] = (request.url ?? "").split("/");
    const send = (status: number, body?: unknown, headers = {}) =>
      void response.writeHead(status, headers).end(body && JSON.stringify(body));
    if (verb === "subscribe") {
      const ecdh = createECDH("prime256v1");
      const [p256dh, auth] = [ecdh.generateKeys().toString("base64url"), randomBytes(16)];
      subscriptions.set(id, { ecdh, auth, received: [], replies: [] });
      return send(200, {
        endpoint: `http://${request.headers.host}/push/${id}`,
        keys: { p256dh, auth: auth.toString("base64url") },
      });
    }
    const subscription = subscriptions.get(id);
    if (subscription === undefined) return send(404);
    if (verb === "received") return send(200, subscription.received);
    if (verb === "leave" || verb === "return") {
      subscription.received.push(...keptOf(subscription.waiting ?? []));
      subscription.waiting = verb === "leave" ? [] : undefined;
      return send(200, {});
    }
    if (verb === "answer") {
      subscription.replies.push(...(JSON.parse((await buffer(request)).toString()) as Reply[]));
      return send(200, {});
    }
    const { status, retryAfter } = await take(subscription, request).catch((): Reply => ({ status: 400 }));
    return send(status, undefined, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
  };
  // It never closes a connection that rests: the next request could be on its way in it, and would be lost.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
