/** The version that a Worker and a workspace server tell each other with every call and answer. */

/** It grows when an earlier end would misunderstand a later one; a call or field that is only added leaves it. */
export const PROTOCOL = 1;

/** Header of calls and answers. Releases before this header spoke protocol 1, so it may be missing. */
export const PROTOCOL_HEADER = "tally-protocol";

/** One line with the remedy when the other end (`who`) speaks another protocol; undefined when both agree. */
export const protocolProblem = (given: string | string[] | null | undefined, who: string): string | undefined => {
  const theirs = given ?? "1";
  if (theirs === String(PROTOCOL)) return undefined;
  return `Protocol ${PROTOCOL} is spoken here and ${theirs} by ${who}: they are of different releases. Update the older one (git pull && npm ci), then start it again.`;
};
