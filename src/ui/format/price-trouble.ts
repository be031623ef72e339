/** Why there are no newer prices, in words. */
import type { QuotesView } from "../../contract/settings/price-settings.ts";

/** Why the last request to a source failed. */
export const LAST_ERRORS: Readonly<Record<string, string>> = {
  auth: "The source refuses this key. Enter it again, or another one.",
  budget: "The key's requests are used up for now. Prices are updated again when it has new ones.",
  down: "The source did not answer last time. It will be asked again.",
  bad: "The source's last answer could not be understood. It will be asked again.",
};

/** Why no price updates until somebody acts; undefined while prices update. */
export const whyNoUpdates = (quotes: QuotesView): string | undefined => {
  const why = causeOf(quotes);
  return why && `Prices do not update: ${why}`;
};

const causeOf = ({ source, licence, isOff, hasKey, lastError }: QuotesView): string | undefined => {
  if (isOff) return "this server fetches none.";
  const isOwnKey = licence === "owner";
  if (!hasKey && !isOwnKey) return "whoever runs this app has not set up a price source.";
  if (!hasKey && source === null) return "there is no key. Add one under Account.";
  if (!hasKey) return "your key can no longer be read. Enter it again under Account.";
  if (lastError !== "auth") return undefined;
  return isOwnKey
    ? "the source refuses your key. Enter it again under Account, or another one."
    : "the source refuses this app's key. Whoever runs the app has to replace it.";
};

/** Why a stale price is not newer. */
export const whyStale = (quotes: QuotesView): string =>
  whyNoUpdates(quotes) ?? LAST_ERRORS[quotes.lastError ?? ""] ?? "The source has had no newer price since then.";
