/** Variables of single runs in tests: what their objects see of the environment beside the Worker's own. */
import type { Env } from "../../../src/env.ts";

const NAMES = [
  "AGENT_RUN_BUDGET_USD",
  "AGENT_WORKSPACE_DIR",
  "ANTHROPIC_API_KEY",
  "DEMO_MODEL",
  "WORKSPACE_URL",
  "WORKSPACE_TOKEN",
] as const;

type Variables = Partial<Readonly<Record<(typeof NAMES)[number], string>>>;

const planned = new Map<string, Variables>();

/** Says what runs of a thread see. Give it before the first of them starts. */
export const planVariables = (threadId: string, variables: Variables): void => {
  planned.set(threadId, variables);
};

/** The environment of a run's object. `threadId` is asked when a variable is, since an object comes into being before its run. */
export const withPlannedVariables = (env: Env, threadId: () => string | undefined): Env => {
  if (planned.size === 0) return env;
  return new Proxy(env, {
    get: (target, name) => {
      // Finding the thread reads rows, which some tests count.
      const own = NAMES.find((one) => one === name);
      const variables = own && planned.get(threadId() ?? "");
      return (own && variables?.[own]) ?? Reflect.get(target, name);
    },
  });
};
