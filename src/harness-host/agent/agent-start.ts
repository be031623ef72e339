/** What the host writes to a turn's process on standard input: one line, then answers. Its environment therefore holds no secret. */
import * as z from "zod";
import { HarnessCall } from "../../harness/agent-sdk/host-wire.ts";

/** Who pays: a token or key that was given to the start, or the login that the vendor's own client keeps in `dir`. */
export const SdkCredential = z.discriminatedUnion("type", [
  z.object({ type: z.literal("oauth_token"), secret: z.string() }),
  z.object({ type: z.literal("api_key"), secret: z.string() }),
  z.object({ type: z.literal("login"), dir: z.string() }),
]);
export type SdkCredential = z.infer<typeof SdkCredential>;

/** How the SDK is run, for all turns of a start. */
export const SdkSetup = z.object({
  sdk: z.object({ version: z.string(), entry: z.string() }),
  credential: SdkCredential,
  /** An address on loopback. Without it, the SDK uses the vendor's own address. */
  baseUrl: z.string().exactOptional(),
  /** Variables with proxies and certificates, without which the vendor's address may be out of reach. Commands can read them. */
  network: z.record(z.string(), z.string()).exactOptional(),
});
export type SdkSetup = z.infer<typeof SdkSetup>;

/** The first line. */
export const AgentStart = z.object({
  setup: SdkSetup,
  /** The workspace, and the state directory, which is guarded. */
  dir: z.string(),
  stateDir: z.string(),
  /** Home of the SDK and its commands. Sessions and everything else that the SDK keeps are below it. */
  home: z.string(),
  /** For outputs of running commands, and for other files that only this turn needs. */
  temporaryDir: z.string(),
  /** In the environment of every process that the turn starts, so that one that has left the turn's group is found. */
  mark: z.string(),
  turn: HarnessCall.turn,
});
export type AgentStart = z.infer<typeof AgentStart>;

/** Every further line. */
export const AgentAnswer = z.object({ questionId: z.string(), answer: HarnessCall.result.shape.answer });
export type AgentAnswer = z.infer<typeof AgentAnswer>;

/** The variable that holds the mark. */
export const MARK_VARIABLE = "TALLY_TURN";
