/** Whether the person is told when the price reaches a target of the stock, and when they were last told. */
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { NoticeChannel } from "../../../contract/notices/notice.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { NOTICE_SETTINGS_KEY, readNoticeSettings } from "../../account/notices/notice-requests.ts";
import { formatPrice } from "../../format/format-money.ts";
import { LOCALE } from "../../format/format-number.ts";
import { ageWords } from "../../format/price-age.ts";
import { announce } from "../../parts/announcer.tsx";
import { useMinute } from "../../state/use-minute.ts";
import { Problem, useChange } from "./use-change.tsx";

const LABEL = "Tell me when the price reaches a target";

/** A switch that is saved at once. For a stock with a target. */
export const TargetNotice = ({ stock }: { readonly stock: Stock }) => {
  const { problem, change } = useChange(stock);
  // Shown from the press until the server has answered; after that the stock's own value counts.
  const [wanted, want] = useState<boolean>();
  const isOn = wanted ?? stock.notify;
  const { data } = useQuery({
    queryKey: NOTICE_SETTINGS_KEY,
    queryFn: ({ signal }) => readNoticeSettings(signal),
    enabled: isOn,
  });
  const set = async (notify: boolean): Promise<void> => {
    if (wanted !== undefined) return;
    want(notify);
    const changed = await change({ set: { notify } });
    want(undefined);
    if (changed) announce(notify ? "You will be told when the price reaches a target." : "You will no longer be told.");
  };
  const hint = isOn ? hintOf(stock, data?.target) : undefined;
  return (
    <div class="target-notice">
      <label class="switch">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => void set(currentTarget.checked)} />
        {LABEL}
      </label>
      {hint && <p class="muted">{hint}</p>}
      <LastAlert stock={stock} />
      <Problem text={problem} />
    </div>
  );
};

/** Says what prevents a notice or, if nothing does, how it is sent. `channel` is undefined while it is not known. */
const hintOf = ({ instrument, autoPrice }: Stock, channel: NoticeChannel | undefined): string | undefined => {
  if (instrument === null) return "Only prices from a source are watched, and this stock has none.";
  if (!autoPrice) return "Only prices from a source are watched, and this one was set by hand.";
  switch (channel) {
    case "none":
      return "Target notices are turned off in Account.";
    case "push":
      return "Sent as a push notification to your devices.";
    case "mail":
      return "Sent by email.";
    default:
      return undefined;
  }
};

const SIDES = { low: "buy target", high: "sell target" } as const;

const LastAlert = ({ stock: { lastAlert, currency } }: { readonly stock: Stock }) => {
  const now = useMinute();
  if (lastAlert === null) return null;
  const { side, at, price } = lastAlert;
  return (
    <p class="muted">
      Last told <time dateTime={at}>{ageWords(at, now.getTime())}</time>: {SIDES[side]} reached at{" "}
      {formatPrice(price, currency, LOCALE)}.
    </p>
  );
};
