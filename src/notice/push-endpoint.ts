/** Which endpoints a push may go to. Anything else would let people make this Worker send requests wherever they like. */
import { isLoopbackHost } from "../contract/local/loopback.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";

/** The push services of Chrome and its relatives, Firefox, Safari and Edge. A `.` in front means any host below. */
const HOSTS = [
  ...["fcm.googleapis.com", "jmt17.google.com", ".push.services.mozilla.com"],
  ...["web.push.apple.com", ".push.apple.com", ".notify.windows.com"],
];

/** The endpoint, or undefined when it is not that of a known push service. Loopback is only for the dev command and the tests. */
export const pushEndpoint = (text: string, env: Pick<Env, "LOOPBACK_PUSH">): URL | undefined => {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return undefined;
  if (url.protocol === "http:")
    return parseSettings(env).LOOPBACK_PUSH && isLoopbackHost(url.hostname) ? url : undefined;
  const { hostname } = url;
  const isKnown = HOSTS.some((host) =>
    host.startsWith(".") ? hostname.endsWith(host) && hostname !== host : hostname === host,
  );
  return url.protocol === "https:" && url.port === "" && isKnown ? url : undefined;
};
