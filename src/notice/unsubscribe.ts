/** The link in a mail that ends mails without a sign-in (RFC 8058). It can do nothing else, so it does not expire. */
import { findAuthSecret, hashOf } from "../auth/auth-secret.ts";
import { OwnerEmail } from "../contract/ids.ts";
import type { NoticeChannel, NoticeSettingsPatch } from "../contract/notices/notice.ts";
import { openDb } from "../db/db.ts";
import { findRecipient, stopMails } from "../db/notices/recipients.ts";
import type { Env } from "../env.ts";
import { settingsOf } from "./notice-settings.ts";
import { findVapidKeys } from "./vapid.ts";

/** Where the link leads; the token follows. */
export const UNSUBSCRIBE_PATH = "/_framework/unsubscribe";

/** Signs an address together with words of its own, so that nothing else that the secret signs has the same signature. */
const signatureOf = (secret: string, address: string): Promise<string> => hashOf(secret, `no more mails to ${address}`);

/** `<address>.<signature>`: the address in hex, so that nothing in it is special in a URL. Undefined without a secret to sign with. */
export const unsubscribeToken = async (env: Env, owner: string): Promise<string | undefined> => {
  const secret = findAuthSecret(env);
  return secret && `${Buffer.from(owner).toString("hex")}.${await signatureOf(secret, owner)}`;
};

/** Whose token it is; undefined when it was not made here. */
export const ownerOfToken = async (env: Env, token: string): Promise<OwnerEmail | undefined> => {
  const [address = "", signature = ""] = token.split(".");
  const owner = OwnerEmail.safeParse(Buffer.from(address, "hex").toString()).data;
  const secret = findAuthSecret(env);
  if (owner === undefined || secret === undefined) return undefined;
  // Hashed once more, so that the time of the comparison says nothing about the signature.
  const [given, right] = await Promise.all(
    [signature, await signatureOf(secret, owner)].map((text) => hashOf(secret, text)),
  );
  return given === right ? owner : undefined;
};

const withoutMail = (channel: NoticeChannel): NoticeChannel => (channel === "mail" ? "none" : channel);

/** From then on, what was mailed to the owner is not told at all. They can choose another way in Account. */
export const unsubscribe = async (env: Env, owner: OwnerEmail): Promise<void> => {
  const db = openDb(env.DB);
  const recipient = await findRecipient(db, owner, findVapidKeys(env)?.publicKey);
  const { permission, runEnd, target } = settingsOf(recipient);
  // A default of "push" is stored as well: without the device that makes it so, it would be "mail" again.
  const patch: NoticeSettingsPatch = {
    permission: withoutMail(permission),
    ...(runEnd === "mail" && { runEnd: "none" }),
    target: withoutMail(target),
  };
  // Pushes are mailed instead because of these devices.
  const lapsed = recipient.lapsed.map(({ id }) => id);
  await stopMails(db, owner, patch, lapsed);
};
