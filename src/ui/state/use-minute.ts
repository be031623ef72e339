import { useEffect, useState } from "preact/hooks";

const MINUTE_MS = 60_000;

/** The current time, updated once a minute: ages of prices go on without a request. */
export const useMinute = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};
