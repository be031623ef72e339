import { useEffect, useState } from "preact/hooks";

const MINUTE_MS = 60_000;

/** The current time, updated once a minute, so that the ages of prices advance without a request. */
export const useMinute = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};
