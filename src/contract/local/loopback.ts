const HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a host name, as a `URL` has it, is this machine's. A name that was made to resolve to it does not count. */
export const isLoopbackHost = (hostname: string): boolean => HOSTS.has(hostname);

/** Whether a text is an http(s) address of this machine. */
export const isLoopbackUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && isLoopbackHost(url.hostname);
};
