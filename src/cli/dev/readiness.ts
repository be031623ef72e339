/** Waits until the Worker answers, and says where it can be opened. Wrangler's own "Ready" comes before its first build has been tried. */
import { setTimeout as delay } from "node:timers/promises";
import { defaultModel } from "../../model/named-models.ts";
import { sdkLine } from "../sdk-setup.ts";
import type { DevOptions } from "./dev-options.ts";
import type { DevVariables } from "./dev-variables.ts";

/** Time between two requests, in ms. */
const POLL_MS = 50;

/** Resolves to true once `GET /_framework/health` answers 200, and to false when `signal` aborts first. */
export const waitUntilHealthy = async (
  port: number,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  while (!signal.aborted) {
    if (await isHealthy(port, headers, signal)) return true;
    // Rejects when the signal aborts, which the loop's condition notices.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
};

const isHealthy = async (
  port: number,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    // Not `localhost`: that may try ::1 first, where nothing listens.
    const response = await fetch(`http://127.0.0.1:${port}/_framework/health`, { headers, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nothing is listening yet, or the connection was cut while the Worker was loading.
    return false;
  }
};

/**
 * The last start-up lines: who is signed in, which model answers, where the agent works, and the address. `Ready on
 * http://localhost:<port>` always comes last; scripts wait for it.
 */
export const readyLines = (options: DevOptions, variables: DevVariables): string =>
  [
    options.auth ? "Sign-in is on; the codes are printed here." : "Signed in as dev@local.test.",
    ...tokenLines(variables),
    ...(options.demo ? ["Prices: a demo. They move, and are not real."] : []),
    ...(variables.sdk === undefined ? [modelLine(variables)] : [sdkLine(variables.sdk)]),
    options.hostWorkspace
      ? `Workspace: ${variables.workspaceDir}`
      : "Workspace: the durable one, kept with the app's other state.",
    `Ready on http://localhost:${options.port}`,
  ]
    .map((line) => `${line}\n`)
    .join("");

const tokenLines = ({ refusedToken }: DevVariables): string[] =>
  refusedToken === undefined
    ? []
    : [
        `${refusedToken} is not used: the model's API refuses a subscription's token. Set ANTHROPIC_API_KEY to a key from the provider's console.`,
      ];

const modelLine = ({ credential, values }: DevVariables): string => {
  if (credential === undefined) return "Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one.";
  return `Model: ${defaultModel(values)}, with ${credential}.`;
};
