/**
 * Small modules that several lazily loaded files share. Each would become a file, and a request, of its own; the build
 * makes those files import this one instead (`split-plugin.ts`).
 */
import "./parts/keep-focus.ts";
import "./state/app-worker.ts";
import "./state/close-menus.ts";
import "./state/keyboard-inset.ts";
import "./state/message-to-send.ts";
import "./state/unsent-keys.ts";
import "./parts/task/focus-problem.ts";
import "./parts/task/use-problem.ts";

export {
  IconArrowBackUp,
  IconCheck,
  IconChevronRight,
  IconDeviceDesktop,
  IconDownload,
  IconEye,
  IconPencil,
  IconStar,
  IconTrash,
} from "@tabler/icons-preact";
export { useInfiniteQuery } from "@tanstack/preact-query";
export { parseJson } from "../contract/parse-json.ts";
export { ATTRIBUTIONS } from "../contract/prices/attributions.ts";
export { symbolText } from "../contract/stocks/symbol-shape.ts";
export { explainFailure } from "./account/explain-failure.ts";
export { outlivePage } from "./account/outlive-page.ts";
export { readSettings, SETTINGS_KEY } from "./account/settings/price-requests.ts";
export { useQuotes } from "./account/settings/use-quotes.ts";
export { readCode } from "./account/sign-in/read-code.ts";
export { useSecondsUntil } from "./account/sign-in/use-seconds-until.ts";
export { copyText } from "./agent/copy-text.ts";
export { ignoreGone } from "./api/ignore-gone.ts";
export { useActionQuery } from "./api/use-action-query.ts";
export { REFUSALS } from "./format/price-refusals.ts";
export { LAST_ERRORS } from "./format/price-trouble.ts";
export { splitTitle, splitWords } from "./format/stock-split-words.ts";
export { sayWait } from "./format/wait-words.ts";
export { writeDay } from "./format/write-day.ts";
export { Dialog } from "./parts/dialog.tsx";
export { Field } from "./parts/field.tsx";
export { adoptStyles } from "./parts/late-styles.ts";
export { isAppleMobile, isInstalled } from "./state/apple-mobile.ts";
export { followPrices } from "./stocks/store/follow-prices.ts";
export { useRefreshPrices } from "./stocks/store/use-refresh-prices.ts";
export { useStockActions } from "./stocks/store/use-stock-actions.ts";
