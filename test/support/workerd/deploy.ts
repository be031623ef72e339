/** A deploy in the middle of a test: other tools from now on, or a bug, and objects that are made anew. */
import { abortAllDurableObjects } from "cloudflare:test";
import { onTestFinished } from "vitest";
import { AGENT_ACTIONS } from "../../../src/actions/registry.ts";

const ADDED = " Once more.";

/**
 * Deploys a release with a bug: this method throws in every object from now on. What it gives deploys the release that mends
 * it, which the end of the test does as well.
 */
export const deployBroken = async <Prototype extends object>(
  prototype: Prototype,
  method: keyof Prototype & string,
): Promise<{ readonly mend: () => Promise<void> }> => {
  const whole = prototype[method];
  const broken = () => {
    throw new Error(`${method} is broken.`);
  };
  Object.assign(prototype, { [method]: broken });
  const restore = () => {
    Object.assign(prototype, { [method]: whole });
  };
  onTestFinished(restore);
  await abortAllDurableObjects();
  return {
    mend: async () => {
      restore();
      await abortAllDurableObjects();
    },
  };
};

/**
 * Describes the agent's first tool in other words, as a release does that improves it: what is sent before all messages is
 * another text then, and that is what the provider binds thinking to. Undone when the test is over.
 */
export const deploy = async (): Promise<void> => {
  const [action] = AGENT_ACTIONS;
  if (action === undefined) throw new Error("The agent has no actions.");
  Object.assign(action, { description: `${action.description}${ADDED}` });
  onTestFinished(() => {
    Object.assign(action, { description: action.description.slice(0, -ADDED.length) });
  });
  await abortAllDurableObjects();
};
