/** The last start-up lines: who one is, which model answers, where the agent works, and the address, always last. */
import { DEFAULT_MODEL } from "../model/default-model.ts";
import type { DevOptions } from "./dev-options.ts";
import type { DevVariables } from "./dev-variables.ts";

/** The lines as they are printed. `Ready on http://localhost:<port>` ends them; scripts wait for it. */
export const readyLines = (options: DevOptions, variables: DevVariables): string =>
  [
    options.auth ? "Sign-in is on; the codes are printed here." : "Signed in as dev@local.test.",
    ...tokenLines(variables),
    modelLine(variables),
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
        `${refusedToken} is not used: the model's API refuses a subscription's token. Set ANTHROPIC_API_KEY to a key of the provider's console.`,
      ];

const modelLine = ({ credential, values }: DevVariables): string => {
  if (credential === undefined) return "Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one.";
  return `Model: ${values.AGENT_MODEL ?? DEFAULT_MODEL}, with ${credential}.`;
};
