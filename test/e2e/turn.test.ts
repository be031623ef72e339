/** Whole turns of the started dev command, with sign-in off and on. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { fixTheTest } from "./turn/fix-the-test.ts";
import { killMidTurn } from "./turn/kill-mid-turn.ts";
import { openStage, type Stage } from "./turn/stage.ts";

/** Up to two starts, of some seconds each: wrangler bundles and boots, and migrates at the first. */
const TIMEOUT_MS = 120_000;

const DEVELOPER = { email: "dev@local.test", orgId: null, authDisabled: true };
const ANN = { email: "ann@example.com", orgId: null, authDisabled: false };

/** The options of the start, who signs in, and whom requests with and without their cookies are taken for. */
const WAYS = [
  {
    name: "where sign-in is off",
    args: [],
    emails: [undefined, undefined],
    person: DEVELOPER,
    nobody: { status: 200, body: DEVELOPER },
  },
  {
    name: "for who has signed in by a printed code",
    args: ["--auth"],
    emails: ["bob@example.com", ANN.email],
    person: ANN,
    nobody: { status: 401, body: { error: "Sign in to run the agent." } },
  },
] as const;

describe.each(WAYS)("$name", { timeout: TIMEOUT_MS }, ({ args, emails: [fixer, owner], person, nobody }) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(args);
  });

  afterAll(() => stage.end());

  it("an agent lists, reads, runs the test, fixes the code and runs the test again", () => fixTheTest(stage, fixer));

  it("a run goes on after kill -9 and a restart, and its client misses nothing", () =>
    killMidTurn(stage, { email: owner, person, nobody }));
});
