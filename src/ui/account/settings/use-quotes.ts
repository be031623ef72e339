/** What is known of the source of the person's prices, for parts that say why there are none. */
import { useQuery } from "@tanstack/preact-query";
import type { QuotesView } from "../../../contract/settings/price-settings.ts";
import type { SettingsView } from "../../../contract/settings/settings-view.ts";
import { readSettings, SETTINGS_KEY } from "./price-requests.ts";

/** Undefined until it has been read. Read only while it is needed. */
export const useQuotes = (isNeeded: boolean): QuotesView | undefined =>
  useQuery<SettingsView>({ queryKey: SETTINGS_KEY, queryFn: ({ signal }) => readSettings(signal), enabled: isNeeded })
    .data?.quotes;
