/** What a turn begins with: the harness, as the environment sets it, its mode and its time zone. A run that exists keeps its own. */
import { AppError } from "../contract/app-error.ts";
import { HarnessName } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { RunMode } from "../contract/run.ts";
import { isTimeZone } from "../contract/schedules/zone-time.ts";
import type { Env } from "../env.ts";
import { findHarness } from "../harness/registry.ts";
import { parseSettings } from "../settings.ts";

/** The harness's name. @throws {AppError} 503 for a name that nobody knows, or whose adapter this release does not have. */
export const chosenHarness = (env: Pick<Env, "AGENT_HARNESS">): HarnessName => {
  const { AGENT_HARNESS: name } = parseSettings(env);
  const known = HarnessName.safeParse(name);
  if (known.success && findHarness(known.data) !== undefined) return known.data;
  const problem = known.success ? "This release cannot run that harness." : "There is no such harness.";
  log.error(`AGENT_HARNESS: ${problem}`, { value: name, harnesses: HarnessName.options });
  throw new AppError(503, "AGENT_HARNESS names no harness that can run here.");
};

/** The mode of a turn's body; undefined when none is chosen. @throws {AppError} 400 for anything else. */
export const chosenMode = (mode: unknown): RunMode | undefined => {
  if (mode === undefined || mode === null) return undefined;
  const chosen = RunMode.safeParse(mode);
  if (!chosen.success) throw new AppError(400, "mode: use plan, or leave it out.");
  return chosen.data;
};

/** The person's time zone, of a turn's body; undefined when none is given. @throws {AppError} 400 for anything else. */
export const chosenTimeZone = (timeZone: unknown): string | undefined => {
  if (timeZone === undefined || timeZone === null) return undefined;
  if (typeof timeZone === "string" && isTimeZone(timeZone)) return timeZone;
  throw new AppError(400, "timeZone: use a name such as Europe/Berlin.");
};
