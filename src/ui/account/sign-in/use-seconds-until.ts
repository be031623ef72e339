import { useEffect, useState } from "preact/hooks";

const SECOND_MS = 1_000;

/** Whole seconds until a time of `Date.now()`, counting down to 0. Goes by the clock, so a tab that slept catches up. */
export const useSecondsUntil = (momentMs: number): number => {
  const [nowMs, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((momentMs - nowMs) / SECOND_MS));
  const isOver = seconds === 0;
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= momentMs) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [momentMs]);
  return isOver ? 0 : seconds;
};
