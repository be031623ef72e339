/** How people are told of what happens while they are away, and when they are not. Each choice is saved at once. */

import { useQuery } from "@tanstack/preact-query";
import type { NoticeChannel, NoticeSettings } from "../../../contract/notices/notice.ts";
import { announce } from "../../parts/announcer.tsx";
import { Select } from "../../parts/select.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { explainFailure } from "../explain-failure.ts";
import { useSaving } from "../use-saving.ts";
import { DeviceList } from "./device-list.tsx";
import {
  DEVICES_KEY,
  NOTICE_SETTINGS_KEY,
  readDevices,
  readNoticeSettings,
  saveNoticeSettings,
} from "./notice-requests.ts";
import { pushTrouble } from "./push-words.ts";
import { QuietHoursFields } from "./quiet-hours.tsx";

const KINDS = [
  ["permission", "When the agent needs an answer"],
  ["runEnd", "When the agent has finished"],
  ["target", "When a stock reaches a target"],
] as const;

const CHANNELS: readonly (readonly [NoticeChannel, string])[] = [
  ["push", "Push"],
  ["mail", "Email"],
  ["none", "Nothing"],
];

/** A choice that is already made stays visible, even if pushes are not set up. */
const channelsFor = (channel: NoticeChannel, hasPush: boolean): typeof CHANNELS =>
  CHANNELS.filter(([value]) => hasPush || value !== "push" || channel === "push");

type ChannelChoiceProps = {
  readonly label: string;
  readonly channel: NoticeChannel;
  readonly hasPush: boolean;
  readonly onPick: (channel: NoticeChannel) => void;
};

const ChannelChoice = ({ label, channel, hasPush, onPick }: ChannelChoiceProps) => {
  const id = useOwnId();
  return (
    <div class="field choice">
      <label for={id}>{label}</label>
      <Select id={id} value={channel} options={channelsFor(channel, hasPush)} onPick={onPick} />
    </div>
  );
};

/** The notices section of the account dialog. */
export const NoticesPart = () => {
  const settings = useQuery({
    queryKey: NOTICE_SETTINGS_KEY,
    queryFn: ({ signal }) => readNoticeSettings(signal),
    staleTime: 0,
  });
  const push = useQuery({ queryKey: DEVICES_KEY, queryFn: ({ signal }) => readDevices(signal), staleTime: 0 });
  const { problem, show, save } = useSaving<NoticeSettings>({
    send: saveNoticeSettings,
    onSaved: () => announce("Saved."),
    queryKey: NOTICE_SETTINGS_KEY,
  });
  const shown = settings.data && show(settings.data);
  const hasPush = push.data !== undefined && push.data.publicKey !== null;
  const trouble = problem ?? [settings.error, push.error].flatMap((error) => (error ? [explainFailure(error)] : []))[0];
  const wantsPush = KINDS.some(([kind]) => shown?.[kind] === "push");
  const unpushed = wantsPush && push.data ? pushTrouble(push.data) : undefined;
  return (
    <section class="account-part">
      <h3>Notices</h3>
      <p class="muted">
        For what happens while you are away. A notice names a stock or what the agent waits for, never an amount or a
        message.
      </p>
      {(settings.isPending || push.isPending) && <p class="muted">Loading…</p>}
      {shown && push.data && (
        <>
          {KINDS.map(([kind, label]) => (
            <ChannelChoice
              key={kind}
              label={label}
              channel={shown[kind]}
              hasPush={hasPush}
              onPick={(channel) => save({ [kind]: channel })}
            />
          ))}
          <p class="hint">
            “When the agent needs an answer” also covers schedules that could not start or were paused.
          </p>
          {unpushed && <p class="hint">{unpushed}</p>}
          <QuietHoursFields quietHours={shown.quietHours} onChange={(quietHours) => save({ quietHours })} />
          {(hasPush || push.data.lapsed.length > 0) && <DeviceList {...push.data} />}
        </>
      )}
      {trouble && (
        <p class="problem" role="alert">
          {trouble}
        </p>
      )}
    </section>
  );
};
