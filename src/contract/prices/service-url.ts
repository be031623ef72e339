/** Addresses of services that only a server on this machine may replace. */

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a text is an http(s) address of this machine. */
const isLoopbackUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && LOOPBACK_HOSTS.includes(url.hostname);
};

/** The address that a variable names, without a slash at its end; undefined unless it is one on loopback. */
export const loopbackUrl = (wanted: string | undefined): string | undefined => {
  const text = wanted?.trim().replace(/\/+$/, "");
  return text && isLoopbackUrl(text) ? text : undefined;
};

/** The address to call: the fixed one, unless a variable names one on loopback. Any other is ignored. No slash at the end. */
export const serviceUrl = (fixed: string, wanted: string | undefined): string => loopbackUrl(wanted) ?? fixed;
