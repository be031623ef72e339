import { chatPath } from "../../../contract/app-paths.ts";
import { cutText } from "../../../contract/plain-text.ts";
import type { Schedule } from "../../../contract/schedules/schedule.ts";
import { timingWords } from "../../../contract/schedules/schedule-words.ts";
import { isTimeZone } from "../../../contract/schedules/zone-time.ts";
import { ownTimeZone } from "../../account/notices/zone-choice.tsx";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ForeignText, shownText } from "../permission/foreign-text.tsx";

/**
 * When a schedule is due next, by the clock of its zone and in the style of its own time. If this browser does not know the zone, by the
 * person's clock.
 */
const nextWords = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(WORDS_LOCALE, {
    ...{ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    ...(isTimeZone(timeZone) ? { timeZone } : { timeZoneName: "short" }),
  }).format(new Date(at));

/** How late a start must be to be mentioned, in ms. */
const LATE_MS = 2 * 60_000;

const MINUTE_MS = 60_000;

/** `, 7 minutes late`; empty when the start was in time. */
const lateWords = ({ lastDueAt, lastStartedAt }: Schedule): string => {
  const lateMs = lastDueAt && lastStartedAt ? Date.parse(lastStartedAt) - Date.parse(lastDueAt) : 0;
  return lateMs < LATE_MS ? "" : `, ${Math.floor(lateMs / MINUTE_MS)} minutes late`;
};

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type ScheduleItemProps = {
  readonly schedule: Schedule;
  readonly isBusy: boolean;
  /** Called when a link to a chat is followed. */
  readonly onOpen: () => void;
  readonly onDelete: () => void;
  readonly onStartAgain: () => void;
};

/** One schedule: what is sent, when, and what became of the last time. */
export const ScheduleItem = ({ schedule, isBusy, onOpen, onDelete, onStartAgain }: ScheduleItemProps) => {
  const { prompt, threadId, cron, timeZone, nextAt, lastRunId, lastStartedAt, state, reason } = schedule;
  const when = upperFirst(timingWords(schedule));
  const last = formatRelativeTime(lastStartedAt, new Date(), WORDS_LOCALE);
  const name = `${when}: ${cutText(shownText(prompt, true), 60)}`;
  return (
    <li class="schedule">
      <p class="prompt">
        <ForeignText text={prompt} isProse />
      </p>
      <p>
        <b>{when}</b>
        {timeZone !== ownTimeZone() && `, ${timeZone.replaceAll("_", " ")}`}{" "}
        {state === "paused" && <Badge tone="warn">Paused</Badge>}
        {state === "done" && <Badge>Done</Badge>}
      </p>
      {nextAt && (
        <p>
          Next: <time dateTime={nextAt}>{nextWords(nextAt, timeZone)}</time>
        </p>
      )}
      {reason && <p class={state === "paused" ? "problem" : "muted"}>{reason}</p>}
      {lastRunId && (
        <p>
          <a href={chatPath(threadId)} onClick={onOpen}>
            Last run: {last.text}
          </a>
          {lateWords(schedule)}
        </p>
      )}
      <div class="row">
        {/* A schedule that runs once is paused at its only time, and has none left to start again for. */}
        {state === "paused" && cron !== undefined && (
          <Button isSmall aria-label={`Start again: ${name}`} aria-disabled={isBusy} onClick={onStartAgain}>
            Start again
          </Button>
        )}
        <Button isSmall aria-label={`Delete: ${name}`} aria-disabled={isBusy} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  );
};
