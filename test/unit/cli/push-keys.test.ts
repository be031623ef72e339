/** `npm run push-keys`: its keys belong together, and the Worker takes them. */
import { execFileSync } from "node:child_process";
import { createECDH } from "node:crypto";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { findVapidKeys } from "../../../src/notice/vapid.ts";

it("prints a new pair each time, as variables", () => {
  const program = join(import.meta.dirname, "../../../src/cli/push-keys.ts");
  const print = () => parseEnv(execFileSync(process.execPath, [program], { encoding: "utf8" }));
  const [keys, others] = [print(), print()];
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(keys.VAPID_PRIVATE_KEY ?? "", "base64url");
  expect(ecdh.getPublicKey("base64url")).toBe(keys.VAPID_PUBLIC_KEY);
  expect(others.VAPID_PRIVATE_KEY).not.toBe(keys.VAPID_PRIVATE_KEY);
  expect(findVapidKeys(keys)).toEqual({
    publicKey: keys.VAPID_PUBLIC_KEY,
    privateKey: keys.VAPID_PRIVATE_KEY,
    subject: "mailto:you@example.com",
  });
});
