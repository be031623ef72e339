/** Requests about prices and their settings (api.md §8). */
import type { QuoteSourceId } from "../../../contract/settings/price-settings.ts";
import type { SettingsView } from "../../../contract/settings/settings-view.ts";
import { requestJson } from "../../api/request-json.ts";

const PATH = "/_framework/settings";

const KEY_PATH = `${PATH}/quotes-key`;

/** The settings' key in the cache. */
export const SETTINGS_KEY = ["settings"] as const;

export const readSettings = (signal: AbortSignal): Promise<SettingsView> => requestJson(PATH, { signal });

export const saveBaseCurrency = (baseCurrency: string): Promise<SettingsView> =>
  requestJson(PATH, { method: "PATCH", body: { baseCurrency } });

/** @throws {ApiError} 400 with the source's reason. */
export const saveQuotesKey = (source: QuoteSourceId, key: string): Promise<unknown> =>
  requestJson(KEY_PATH, { method: "PUT", body: { source, key } });

export const removeQuotesKey = (): Promise<unknown> => requestJson(KEY_PATH, { method: "DELETE" });
