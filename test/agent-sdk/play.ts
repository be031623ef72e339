/** Plays a scenario on a harness host with the real SDK. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QuestionAnswer } from "../../src/harness/agent-sdk/host-wire.ts";
import { findSdk } from "../../src/harness-host/find-sdk.ts";
import { type HarnessUnderTest, openHarness } from "../support/agent-sdk/harness-client.ts";
import type { RecordedTurn } from "../support/agent-sdk/recording.ts";
import type { Provider } from "./provider.ts";
import { type Scenario, TOOLS } from "./scenario.ts";

/** The SDK that `npm ci` put beside this file. @throws {Error} when it did not. */
export const requireSdk = () => {
  const sdk = findSdk([import.meta.dirname]);
  if (sdk === undefined) throw new Error("Run `npm run test:agent-sdk`, which installs the SDK first.");
  return sdk;
};

/** The model that the scripted provider answers as. */
export const MODEL = "claude-sonnet-5-5";

/** A host that asks the scripted provider, with a made-up token or without a login. */
export const openRealHarness = (provider: Provider, isLoggedOut = false): Promise<HarnessUnderTest> =>
  openHarness({
    sdk: requireSdk(),
    credential: isLoggedOut
      ? { type: "login", dir: mkdtempSync(join(tmpdir(), "tally-no-login-")) }
      : { type: "oauth_token", secret: "test-token" },
    baseUrl: provider.url,
  });

/** All turns of the scenario, and the host as it is afterwards. Close it. */
export const play = async (
  scenario: Scenario,
  provider: Provider,
): Promise<{ readonly turns: RecordedTurn[]; readonly host: HarnessUnderTest }> => {
  const host = await openRealHarness(provider, scenario.isLoggedOut);
  writeFileSync(join(host.dir, "notes.txt"), "one\n");
  await provider.script(scenario.name, scenario.replies(host.dir));
  const sessionId = crypto.randomUUID();
  const turns: RecordedTurn[] = [];
  for (const [index, turn] of scenario.turns.entries()) {
    const begin =
      turn.begin === "deferred"
        ? { type: turn.begin }
        : { type: turn.begin, prompt: `[script:${scenario.name}] ${turn.prompt ?? ""}` };
    const answers: Record<string, QuestionAnswer> = {};
    const lines = await host.turn(
      {
        ...{ turnId: `${sessionId}:${index}`, sessionId, begin, model: MODEL, tools: TOOLS },
        ...(turn.budgetUsd === undefined ? {} : { budgetUsd: turn.budgetUsd }),
        ...(turn.maxTurns === undefined ? {} : { maxTurns: turn.maxTurns }),
      },
      (question) => {
        const answer = turn.answer?.(question);
        if (answer !== undefined) answers[question.questionId] = answer;
        return answer;
      },
      (line) => turn.onLine?.(line, host),
    );
    turns.push({ begin, answers, lines });
  }
  return { turns, host };
};
