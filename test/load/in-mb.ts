/** Memory as it is written in the tables. */

/** Bytes as whole MB. */
export const inMb = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
