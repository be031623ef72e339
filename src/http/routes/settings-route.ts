/** What the caller has set: their currency, the key of their price source, and what they are told (api.md §8). */
import type { Context, Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import { QuotesKey } from "../../contract/settings/price-settings.ts";
import { SettingsPatch, type SettingsView } from "../../contract/settings/settings-view.ts";
import { DEFAULT_CURRENCY } from "../../contract/stocks/currency-codes.ts";
import { openDb } from "../../db/db.ts";
import { findRecipient, saveNoticeSettings } from "../../db/notices/recipients.ts";
import { findSettings, saveSettings } from "../../db/prices/person-settings.ts";
import { settingsOf } from "../../notice/notice-settings.ts";
import { findVapidKeys } from "../../notice/vapid.ts";
import { clearKey, saveKey, secretForKeys, viewQuotes } from "../../quotes/owner-key.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { limitChange } from "../rate-limit.ts";
import { guardChange, route } from "../route.ts";

const PATH = "/_framework/settings";

const KEY_PATH = `${PATH}/quotes-key`;

export const mountSettingsRoute = (app: Hono<AppEnv>): void => {
  guardChange(app, "PATCH", PATH);
  app.patch(PATH, jsonBody(SettingsPatch, bodyRefusal), async (c) => {
    const { baseCurrency, notices } = c.req.valid("json");
    await limitChange(c);
    const { ownerEmail } = c.var.caller;
    const db = openDb(c.env.DB);
    if (baseCurrency !== undefined) await saveSettings(db, ownerEmail, { baseCurrency });
    if (notices !== undefined) await saveNoticeSettings(db, ownerEmail, notices);
    return c.json(await view(c));
  });
  route(app, PATH, { GET: async (c) => c.json(await view(c)) }, ["PATCH"]);
  guardChange(app, "PUT", KEY_PATH);
  app.put(KEY_PATH, jsonBody(QuotesKey, bodyRefusal), async (c) => {
    const { source, key } = c.req.valid("json");
    // The source is asked only within the limit.
    await limitChange(c, async () => secretForKeys(c.env));
    await saveKey(c.env, c.var.caller.ownerEmail, source, key);
    return c.json({ ok: true });
  });
  const remove = async (c: Context<AppEnv>): Promise<Response> => {
    await limitChange(c);
    await clearKey(c.env, c.var.caller.ownerEmail);
    return c.json({ ok: true });
  };
  route(app, KEY_PATH, { DELETE: remove }, ["PUT"]);
};

const bodyRefusal = (issues: Parameters<typeof describeProblems>[0]): AppError =>
  new AppError(400, describeProblems(issues, "body"));

const view = async (c: Context<AppEnv>): Promise<SettingsView> => {
  const { ownerEmail } = c.var.caller;
  const db = openDb(c.env.DB);
  const [stored, recipient] = await Promise.all([
    findSettings(db, ownerEmail),
    findRecipient(db, ownerEmail, findVapidKeys(c.env)?.publicKey),
  ]);
  return {
    baseCurrency: stored?.baseCurrency ?? DEFAULT_CURRENCY,
    quotes: await viewQuotes(c.env, ownerEmail, stored),
    notices: settingsOf(recipient),
  };
};
