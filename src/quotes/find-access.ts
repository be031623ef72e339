/** Whose key is used to ask for prices: the owner's own, or the deployment's if its licence allows that. */
import { isAllowedEmail } from "../auth/allowed-emails.ts";
import { sha256Hex } from "../contract/digest.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { lateModule } from "../contract/loading/late-module.ts";
import {
  DEPLOYMENT_SCOPE,
  type PriceSourceId,
  QuoteSourceId,
  QuotesLicence,
  readKey,
} from "../contract/settings/price-settings.ts";
import type { Db } from "../db/db.ts";
import { findSettings } from "../db/prices/person-settings.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { loopbackUrl } from "./fetch-json.ts";
import { openKey } from "./keys/seal-key.ts";
import type { QuoteSource, SourceAccess } from "./sources/quote-source.ts";

const loadSources = lateModule(() => import("./sources/find-source.ts"));

/** The source of this name, loaded when a source is first needed. */
export const loadSource = async (id: PriceSourceId): Promise<QuoteSource> => (await loadSources()).findSource(id);

/** A source with the key to ask it. What it says belongs to the scope of the key. */
export type QuoteAccess = { readonly source: QuoteSource; readonly access: SourceAccess; readonly scope: string };

/** Where the demo's prices and rates are served: on loopback, or nowhere. */
export const demoUrl = ({ DEMO_PRICES_URL }: Pick<Env, "DEMO_PRICES_URL">): string | undefined =>
  loopbackUrl(DEMO_PRICES_URL);

/** Whose key is used to ask for prices. Anything but `display` is `owner`; the demo's prices are for all. */
export const licenceOf = (env: Pick<Env, "QUOTES_LICENCE" | "DEMO_PRICES_URL">): QuotesLicence =>
  demoUrl(env) !== undefined ? "display" : (QuotesLicence.safeParse(env.QUOTES_LICENCE?.trim()).data ?? "owner");

/** Whether no source may be asked. The demo's prices do not leave the machine. */
export const arePricesOff = (env: Env): boolean => parseSettings(env).OFFLINE && demoUrl(env) === undefined;

/** The scope of an owner's prices, which is also the name of the object that fetches them. */
export const scopeOf = async (env: Env, owner: OwnerEmail): Promise<string> =>
  licenceOf(env) === "display" ? DEPLOYMENT_SCOPE : await sha256Hex(owner);

/** Where a source is asked: its own address, or one on loopback. */
export const accessTo = (env: Env, source: PriceSourceId, key: string): SourceAccess => {
  const { EODHD_BASE_URL: eodhd, TWELVEDATA_BASE_URL: twelvedata } = env;
  return { key, baseUrl: { eodhd, twelvedata, demo: demoUrl(env) }[source] };
};

/** The source of an owner's prices; undefined without a key that can be read, and while nothing may leave the machine. */
export const findAccess = async (env: Env, db: Db, owner: OwnerEmail): Promise<QuoteAccess | undefined> => {
  if (arePricesOff(env)) return undefined;
  if (licenceOf(env) === "display") return await deploymentAccess(env);
  const found = await ownKey(env, db, owner);
  return found && (await accessBy(env, found, await scopeOf(env, owner)));
};

/** The deployment's own source and key; undefined while prices are off, or without a key. */
export const deploymentAccess = async (env: Env): Promise<QuoteAccess | undefined> => {
  const found = arePricesOff(env) ? undefined : deploymentKey(env);
  return found && (await accessBy(env, found, DEPLOYMENT_SCOPE));
};

const accessBy = async (env: Env, [id, key]: NonNullable<FoundKey>, scope: string): Promise<QuoteAccess> => ({
  ...{ source: await loadSource(id), access: accessTo(env, id, key), scope },
});

/** Digits kept of a fingerprint: enough to tell one key from the next, too few to say anything of either. */
const FINGERPRINT_DIGITS = 16;

/** Identifies a key and its source without revealing the key: part of a SHA-256. */
export const fingerprintOf = async ({ source, access }: QuoteAccess): Promise<string> =>
  (await sha256Hex(JSON.stringify(["quotes key", source.id, access.key]))).slice(0, FINGERPRINT_DIGITS);

type FoundKey = readonly [source: PriceSourceId, key: string] | undefined;

/** The deployment's source and key. The demo takes any. */
export const deploymentKey = (env: Env): FoundKey => {
  const { QUOTES_SOURCE, QUOTES_KEY } = env;
  if (demoUrl(env) !== undefined) return ["demo", "demo"];
  const source = QuoteSourceId.safeParse(QUOTES_SOURCE?.trim()).data;
  const key = readKey(QUOTES_KEY);
  return source === undefined || key === undefined ? undefined : [source, key];
};

/** Nothing is asked for somebody who may not sign in any more. */
const ownKey = async (env: Env, db: Db, owner: OwnerEmail): Promise<FoundKey> => {
  if (!parseSettings(env).AUTH_DISABLED && !isAllowedEmail(env, owner)) return undefined;
  const { quotesSource, quotesKey } = (await findSettings(db, owner)) ?? {};
  if (!quotesSource || !quotesKey || env.BETTER_AUTH_SECRET === undefined) return undefined;
  const key = await openKey(env.BETTER_AUTH_SECRET, owner, quotesKey);
  return key === undefined ? undefined : [quotesSource, key];
};
