/**
 * `npm run push-keys`: prints a new pair of keys for web push, as the variables that a Worker takes. New keys make all devices subscribe
 * again: a subscription belongs to the key that it was made with.
 */
import { generateKeyPairSync } from "node:crypto";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = publicKey.export({ format: "jwk" });
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);

process.stdout.write(
  [
    `VAPID_PUBLIC_KEY=${point.toString("base64url")}`,
    `VAPID_PRIVATE_KEY=${privateKey.export({ format: "jwk" }).d}`,
    "VAPID_SUBJECT=mailto:you@example.com",
  ]
    .map((line) => `${line}\n`)
    .join(""),
);
