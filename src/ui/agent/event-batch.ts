/** Collects events and hands them over once per frame, so that a burst of thousands costs a few renders. */
import type { NumberedEvent } from "../../contract/transcript.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** A batch in the making. */
export type EventBatch = {
  add(event: NumberedEvent): void;
  /** Hands over what is there now. */
  flush(): void;
  /** Forgets what is there. */
  drop(): void;
};

/** `onEvents` never gets an empty list. */
export const makeEventBatch = (
  environment: Pick<StreamEnvironment, "afterNextFrame">,
  onEvents: (events: readonly NumberedEvent[]) => void,
): EventBatch => {
  let events: NumberedEvent[] = [];
  let cancel: (() => void) | undefined;
  const take = (): NumberedEvent[] => {
    cancel?.();
    cancel = undefined;
    const taken = events;
    events = [];
    return taken;
  };
  const flush = () => {
    const taken = take();
    if (taken.length > 0) onEvents(taken);
  };
  return {
    add: (event) => {
      events.push(event);
      cancel ??= environment.afterNextFrame(flush);
    },
    flush,
    drop: take,
  };
};
