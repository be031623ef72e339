/**
 * Keeps an object's alarm alive through a release with a bug. The runtime repeats an alarm that threw six times, within some two
 * minutes, and then forgets it (https://developers.cloudflare.com/durable-objects/api/alarms/): whatever the object still had
 * to do would be left until somebody called it.
 */
import { errorText } from "./error-text.ts";

/** How soon an alarm whose work threw rings again, in ms: soon enough for people, rare enough for a bug in every object. */
const RETRY_MS = 60_000;

/** Does an alarm's work. When that throws, it is logged and the alarm is set again, by `setAlarm`. `object` names the kind. */
export const guardAlarm = async (
  object: "run" | "session" | "workspace",
  work: () => Promise<void>,
  setAlarm: (atMs: number) => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    console.error(JSON.stringify({ level: "error", message: "An alarm failed.", object, error: errorText(error) }));
    // Where not even that works the instance is lost: what is thrown makes the runtime repeat the alarm in another one.
    await setAlarm(Date.now() + RETRY_MS);
  }
};
