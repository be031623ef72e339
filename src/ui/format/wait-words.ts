/** A wait in words: `1 second`, `40 seconds`, `12 minutes`. Rounded up, so that it is never too short. */
export const sayWait = (seconds: number): string => {
  if (seconds <= 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};
