/** An owner's own key: stored encrypted, never shown again, and what can be told of it. */
import { AppError } from "../contract/app-error.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import type { QuoteSourceId, QuotesView } from "../contract/settings/price-settings.ts";
import { openDb } from "../db/db.ts";
import { type SettingsRow, saveSettings } from "../db/prices/person-settings.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { parseSettings } from "../settings.ts";
import { fetchJson } from "./fetch-json.ts";
import { accessTo, arePricesOff, findAccess, licenceOf, loadSource, scopeOf } from "./find-access.ts";
import { sealKey } from "./keys/seal-key.ts";

/** The secret that keys are encrypted with. @throws {AppError} 409 where no personal keys are used. */
export const secretForKeys = (env: Env): string => {
  const secret = env.BETTER_AUTH_SECRET;
  if (licenceOf(env) !== "display" && secret !== undefined && !parseSettings(env).OFFLINE) return secret;
  throw new AppError(409, "Personal keys are not used here.");
};

/** Stores a key that the source accepts. @throws {AppError} 400 with the source's reason, or 409 as `secretForKeys`. */
export const saveKey = async (env: Env, owner: OwnerEmail, source: QuoteSourceId, key: string): Promise<void> => {
  const secret = secretForKeys(env);
  const problem = await keyProblem(env, source, key);
  if (problem !== undefined) throw new AppError(400, `key: ${problem}`);
  await saveSettings(openDb(env.DB), owner, { quotesSource: source, quotesKey: await sealKey(secret, owner, key) });
  await forgive(env, owner);
};

/** Forgets the key. Prices stay what they are, and get older. */
export const clearKey = async (env: Env, owner: OwnerEmail): Promise<void> => {
  await saveSettings(openDb(env.DB), owner, { quotesSource: null, quotesKey: null });
  if (licenceOf(env) === "owner") await forgive(env, owner);
};

const forgive = async (env: Env, owner: OwnerEmail): Promise<void> => {
  await reach(async () => await env.QUOTES.getByName(await scopeOf(env, owner)).forgive());
};

/**
 * What a person is told of their key, never the key itself. A key that cannot be decrypted any more counts as none: they have to enter it
 * again.
 */
export const viewQuotes = async (env: Env, owner: OwnerEmail, stored: SettingsRow | undefined): Promise<QuotesView> => {
  const licence = licenceOf(env);
  const isOff = arePricesOff(env) || (licence === "owner" && env.BETTER_AUTH_SECRET === undefined);
  const nothing = { isOff, hasKey: false, creditsLeft: null, lastError: null, attribution: null };
  if (licence === "owner" && !stored?.quotesKey) return { source: null, licence, ...nothing };
  const access = await findAccess(env, openDb(env.DB), owner);
  if (access === undefined) return { source: stored?.quotesSource ?? null, licence, ...nothing };
  const status = await reach(async () => await env.QUOTES.getByName(access.scope).status(owner));
  const { id, attribution } = access.source;
  return { source: id, licence, isOff, hasKey: true, ...status, attribution };
};

/** A listing that every plan has. */
const PROBE = { symbol: "AAPL", mic: "XNAS", currency: "USD" } as const;

/** Why a key is refused, in words for its person; undefined when it is accepted. A key whose budget is used up is still accepted. */
const keyProblem = async (env: Env, id: QuoteSourceId, key: string): Promise<string | undefined> => {
  const source = await loadSource(id);
  const probe = { ...PROBE, symbol: source.symbolOf(PROBE.symbol, PROBE.mic) ?? PROBE.symbol };
  const answer = await fetchJson(source.quotesRequest([probe], accessTo(env, id, key))).catch(() => undefined);
  const [result] = answer === undefined ? [] : source.readQuotes([probe], answer);
  if (result === undefined || ("refused" in result && result.refused === "down"))
    return "the source does not answer. Try again.";
  return "refused" in result && result.refused === "auth" ? "the source refuses this key." : undefined;
};
