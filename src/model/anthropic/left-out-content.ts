/**
 * Replaces, in the deployed Worker (wrangler.toml, `[alias]`), the code of the model's client that would write messages into spans. The
 * client is told to make no spans (`openTelemetry: false`). Everything here fails if it is used after all.
 */

/** @throws always. */
const leftOut = (): never => {
  throw new Error("The model's client records no messages: the code that would is left out.");
};

export const setMessageContentAttributes = leftOut;
export const setContentAttributes = leftOut;
export const toolResultContentBlocks = leftOut;
