/** The time, to the minute: what "3 minutes ago" is counted from. */
import { useEffect, useState } from "preact/hooks";

const MINUTE_MS = 60_000;

/** Another `Date` each minute, and the same one between. */
export const useMinute = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};
