/** A deploy in the middle of a test: from now on other tools, or a bug, and new instances of the objects. */
import { abortAllDurableObjects } from "cloudflare:test";
import { onTestFinished } from "vitest";
import { AGENT_ACTIONS } from "../../../src/actions/registry.ts";

const ADDED = " Once more.";

/**
 * Deploys a release with a bug: this method throws in every object from now on. Call the result to deploy the release that
 * fixes it; the end of the test does so as well.
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
 * Describes the agent's first tool in other words, as a better release might: the text before all messages changes with it, and
 * the provider binds thinking to that text. Undone when the test is over.
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
