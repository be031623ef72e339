/** `--harness agent-sdk`: which SDK runs, and on whose account. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { HarnessName } from "../contract/ids.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import type { SdkCredential, SdkSetup } from "../harness-host/agent/agent-start.ts";
import { findSdk, SDK_IS_MISSING, sdkIsTooOld } from "../harness-host/find-sdk.ts";
import { holdsSubscriptionToken } from "../model/credential.ts";
import { PROJECT_DIR } from "../process/project.ts";
import { StartRefusal } from "../process/run-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** How the vendor's own client, and most commands, find their network. */
export const NETWORK_VARIABLES = [
  ...["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"],
] as const;

/** Checks a name from the command line or from `AGENT_HARNESS`. @throws {StartRefusal} */
export const parseHarness = (name: string, from: string): HarnessName => {
  const known = HarnessName.safeParse(name);
  if (known.success) return known.data;
  throw new StartRefusal(`${from}: use ${HarnessName.options.join(" or ")}.`, from.startsWith("--") ? 2 : 1);
};

/**
 * How the SDK is run: from the `node_modules` of the project, or otherwise of `AGENT_SDK_DIR`. It takes the first of these that is there:
 * `CLAUDE_CODE_OAUTH_TOKEN`, `ANTHROPIC_API_KEY`, the login of the vendor's own client, of which nothing but the credential is used. It
 * also takes the proxies and certificates of the start.
 *
 * @throws {StartRefusal} when the SDK is missing or too old, the login cannot be read, or commands could read the login of a proxy.
 */
export const findSdkSetup = (
  given: Variables,
  projectDir = PROJECT_DIR,
  platform: NodeJS.Platform = process.platform,
): SdkSetup => {
  const sdk = findSdk([projectDir, ...(given.AGENT_SDK_DIR ? [given.AGENT_SDK_DIR] : [])]);
  if (sdk === undefined) throw new StartRefusal(SDK_IS_MISSING);
  const refusal = sdkIsTooOld(sdk);
  if (refusal !== undefined) throw new StartRefusal(refusal);
  const baseUrl = given.ANTHROPIC_BASE_URL;
  const isHere = baseUrl !== undefined && isLoopbackUrl(baseUrl);
  const network = networkOf(given, isHere);
  return { sdk, credential: credentialOf(given, platform), network, ...(isHere ? { baseUrl } : {}) };
};

/** `isHere`: the model's address is on this machine, which a proxy would not reach. */
const networkOf = (given: Variables, isHere: boolean): Record<string, string> =>
  Object.fromEntries(
    NETWORK_VARIABLES.flatMap((name) => {
      const value = given[name];
      if (!value) return [];
      // Relative to the directory of the start, and not to the workspace.
      if (!/proxy/i.test(name)) return [[name, resolve(value)]];
      if (isHere) return [];
      if (value.includes("@")) throw new StartRefusal(proxyLogin(name));
      return [[name, value]];
    }),
  );

const proxyLogin = (name: string): string =>
  `--harness agent-sdk: ${name} holds a login, which the agent's commands could read. Name a proxy that needs none, such as one on this machine that adds it, or start without the variable.`;

const credentialOf = (given: Variables, platform: NodeJS.Platform): SdkCredential => {
  const token = given.CLAUDE_CODE_OAUTH_TOKEN?.trim();
  if (token) return { type: "oauth_token", secret: token };
  const key = given.ANTHROPIC_API_KEY?.trim();
  if (key && !holdsSubscriptionToken(given)) return { type: "api_key", secret: key };
  // Relative to the directory of the start: in the workspace, the SDK would take a login that somebody has put there.
  const dir = resolve(given.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"));
  if (platform === "darwin" && !existsSync(join(dir, ".credentials.json"))) throw new StartRefusal(IN_KEYCHAIN);
  return { type: "login", dir };
};

/** macOS finds a user's keychain by `HOME`, and the SDK runs with another `HOME`. */
const IN_KEYCHAIN =
  "--harness agent-sdk: on macOS the login of `claude` is in the keychain, where it cannot be read. Set CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token` makes one), or ANTHROPIC_API_KEY.";

const PAYS: Readonly<Record<SdkCredential["type"], string>> = {
  oauth_token: "CLAUDE_CODE_OAUTH_TOKEN",
  api_key: "ANTHROPIC_API_KEY",
  login: "the login of `claude`",
};

/** The line that the start prints about it. */
export const sdkLine = ({ sdk, credential }: SdkSetup): string =>
  `Harness: the agent SDK ${sdk.version}, with ${PAYS[credential.type]}.`;
