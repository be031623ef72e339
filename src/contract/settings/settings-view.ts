/** What a person has set, on the wire (api.md §8). Each part has its own schema. */
import * as z from "zod";
import { NoticeSettings, NoticeSettingsPatch } from "../notices/notice.ts";
import { BaseCurrency, QuotesView } from "./price-settings.ts";

/** Answer of `GET` and `PATCH /_framework/settings`. */
export const SettingsView = z.object({ baseCurrency: z.string(), quotes: QuotesView, notices: NoticeSettings });
export type SettingsView = z.infer<typeof SettingsView>;

/** Body of `PATCH /_framework/settings`: the parts that change. */
export const SettingsPatch = z.strictObject({
  baseCurrency: BaseCurrency.optional(),
  notices: NoticeSettingsPatch.optional(),
});
