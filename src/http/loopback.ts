/** Which requests come from this machine alone. */

/** Host names that only this machine answers to. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address names this machine. A name that was made to point at it does not count. */
export const isLoopback = (url: string): boolean => LOOPBACK_HOSTS.has(new URL(url).hostname);
