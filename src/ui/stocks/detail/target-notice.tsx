/** Whether the person is told when the price reaches a target of the stock, and when they were last told. */
import { useQuery } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import type { DeviceList, NoticeChannel } from "../../../contract/notices/notice.ts";
import type { QuotesView } from "../../../contract/settings/price-settings.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import {
  DEVICES_KEY,
  NOTICE_SETTINGS_KEY,
  readDevices,
  readNoticeSettings,
} from "../../account/notices/notice-requests.ts";
import { pushTrouble } from "../../account/notices/push-words.ts";
import { useQuotes } from "../../account/settings/use-quotes.ts";
import { formatPrice } from "../../format/format-money.ts";
import { LOCALE } from "../../format/format-number.ts";
import { ageWords } from "../../format/price-age.ts";
import { whyNoUpdates } from "../../format/price-trouble.ts";
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
  const channel = data?.target;
  const { data: devices } = useQuery({
    queryKey: DEVICES_KEY,
    queryFn: ({ signal }) => readDevices(signal),
    enabled: isOn && channel === "push",
  });
  const quotes = useQuotes(isOn && stock.instrument !== null && stock.autoPrice);
  const obstacle = isOn ? obstacleOf(stock, quotes, channel, devices) : undefined;
  // Read once a change is saved: most of it is known only then.
  const latest = useRef(obstacle);
  latest.current = obstacle;
  const set = async (notify: boolean): Promise<void> => {
    if (wanted !== undefined) return;
    want(notify);
    const changed = await change({ set: { notify } });
    const obstacleNow = latest.current;
    want(undefined);
    if (!changed) return;
    if (!notify) announce("You will no longer be told.");
    else announce(obstacleNow ? `Saved. ${obstacleNow}` : "You will be told when the price reaches a target.");
  };
  const hint = obstacle ?? (isOn ? sentWords(channel, devices) : undefined);
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

/** Says what prevents a notice; undefined while nothing is known to. The other arguments are undefined while they are not known. */
export const obstacleOf = (
  { instrument, autoPrice }: Pick<Stock, "instrument" | "autoPrice">,
  quotes: QuotesView | undefined,
  channel: NoticeChannel | undefined,
  devices: DeviceList | undefined,
): string | undefined => {
  if (instrument === null) return "Only prices from a source are watched, and this stock has none.";
  if (!autoPrice) return "Only prices from a source are watched, and this one was set by hand.";
  if (quotes && whyNoUpdates(quotes)) return "Only prices from a source are watched, and none come from it now.";
  if (channel === "none") return "Target notices are turned off in Account.";
  return channel === "push" && devices?.devices.length === 0 ? pushTrouble(devices) : undefined;
};

/** Says how a notice is sent. */
const sentWords = (channel: NoticeChannel | undefined, devices: DeviceList | undefined): string | undefined => {
  if (channel === "mail") return "Sent by email.";
  return channel === "push" && devices ? "Sent as a push notification to your devices." : undefined;
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
