import { IconBell } from "@tabler/icons-preact";
import { useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import type { DeviceList as Devices } from "../../../contract/notices/notice.ts";
import { readAgain } from "../../api/read-again.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { announce } from "../../parts/announcer.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useUnderWay } from "../../parts/task/use-under-way.ts";
import { explainFailure } from "../explain-failure.ts";
import { watchPress } from "../focus-heading.ts";
import { useSession } from "../person.ts";
import { useAccountProblem } from "../use-account-problem.ts";
import { DEVICES_KEY, NOTICE_SETTINGS_KEY, removeDevice } from "./notice-requests.ts";
import { PushProblem, pushObstacle, thisDeviceId, turnOff, turnOn } from "./this-device.ts";

type Device = Devices["devices"][number];

/** The devices that get pushes, with this one or a button to turn it on, and those that lapsed when the server's keys changed. */
export const DeviceList = ({ publicKey, devices, lapsed }: Devices) => {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const underWay = useUnderWay();
  const [problem, setProblem] = useAccountProblem();
  const ownId = thisDeviceId();
  const isOn = devices.some(({ deviceId }) => deviceId === ownId);
  const runTask = (name: string, work: () => Promise<unknown>, done: string): Promise<void> =>
    underWay.run(name, async () => {
      setProblem(undefined);
      const focusHeading = watchPress();
      try {
        await work();
        // Adding the first device changes the default channels.
        await Promise.all([DEVICES_KEY, NOTICE_SETTINGS_KEY].map((queryKey) => readAgain(client, queryKey)));
        announce(done);
        // The pressed button is gone.
        focusHeading(heading.current);
      } catch (error) {
        setProblem(error instanceof PushProblem ? error.message : explainFailure(error));
      }
    });
  return (
    <>
      <h4 ref={heading} tabIndex={-1}>
        Devices with push notifications
      </h4>
      {devices.length + lapsed.length > 0 && (
        <ul class="logins">
          {[...devices, ...lapsed].map((device) => (
            <DeviceItem
              key={device.deviceId}
              device={device}
              isOwn={device.deviceId === ownId}
              isOff={lapsed.includes(device)}
              isBusy={underWay.has(device.deviceId)}
              onRemove={() =>
                void runTask(
                  device.deviceId,
                  () => (device.deviceId === ownId ? turnOff() : removeDevice(device.deviceId)),
                  `${device.label} no longer gets push notifications.`,
                )
              }
            />
          ))}
        </ul>
      )}
      {publicKey !== null && !isOn && (
        <ThisDevice
          isBusy={underWay.has("this")}
          onTurnOn={() => void runTask("this", () => turnOn(publicKey), "Push notifications are on for this device.")}
        />
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};

/** The button, or the reason why there is none. */
const ThisDevice = ({ isBusy, onTurnOn }: { readonly isBusy: boolean; readonly onTurnOn: () => void }) => {
  const { data: session } = useSession();
  const obstacle = pushObstacle(session);
  if (obstacle !== undefined) return <p class="muted">{obstacle}</p>;
  return (
    <Button icon={IconBell} aria-disabled={isBusy} onClick={onTurnOn}>
      {isBusy ? "Turning on…" : "Turn on for this device"}
    </Button>
  );
};

type DeviceItemProps = {
  readonly device: Device;
  readonly isOwn: boolean;
  /** It lapsed. */
  readonly isOff: boolean;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
};

const DeviceItem = ({ device: { label, createdAt }, isOwn, isOff, isBusy, onRemove }: DeviceItemProps) => {
  const { text, iso } = formatRelativeTime(createdAt, new Date(), WORDS_LOCALE);
  return (
    <li class="login">
      <IconBell size={20} stroke={1.75} aria-hidden="true" />
      <div>
        {label} {isOwn && <Badge>This device</Badge>} {isOff && <Badge tone="warn">Off</Badge>}
        <p>
          Turned on{" "}
          <time dateTime={iso ?? undefined} title={iso ?? undefined}>
            {text}
          </time>
        </p>
      </div>
      <Button isSmall aria-label={`Remove ${label}, turned on ${text}`} aria-disabled={isBusy} onClick={onRemove}>
        {isBusy ? "Removing…" : "Remove"}
      </Button>
    </li>
  );
};
