/** Why a real directory cannot be reached, and what a person has to do; the model passes it on, the transcript shows it. */

/** Each ends the call, not the run: what needs no files goes on. */
export const UNREACHABLE = {
  gone: "The workspace cannot be reached: its server does not answer. Ask the person to start it (npm run dev on their own machine, npm run workspace for a deployed Worker), then try again.",
  wrongToken:
    "The workspace cannot be reached: its server was started with another token. Ask the person to give the Worker the same one, as WORKSPACE_TOKEN, then try again.",
  unknownHost:
    "The workspace cannot be reached: its server does not know the name in WORKSPACE_URL. Ask the person to start it with --public-host and that name, then try again.",
} as const;
