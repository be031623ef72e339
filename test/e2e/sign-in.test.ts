/** Sign-in under the dev command: `npm run dev -- --auth` prints the codes (DESIGN §8). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DevServer, startDevServer } from "../support/dev-server.ts";

/** A start takes 5 s on a free machine. */
const START_MS = 60_000;

let server: DevServer;
let persistTo: string;

const start = () => startDevServer({ persistTo, args: ["--auth", "--no-host-workspace"] });

beforeAll(async () => {
  persistTo = await mkdtemp(join(tmpdir(), "tally-sign-in-"));
  server = await start();
}, START_MS);

afterAll(async () => {
  await server.killGroup();
  await rm(persistTo, { recursive: true, force: true });
});

const post = (name: string, body: unknown) =>
  fetch(`${server.url}/_framework/auth/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const sessionOf = async (cookie: string) => {
  const answer = await fetch(`${server.url}/_framework/session`, { headers: { cookie } });
  return { status: answer.status, body: await answer.json() };
};

it("signs a person in by the code in the terminal, over a restart", { timeout: 2 * START_MS }, async () => {
  expect(await sessionOf("")).toEqual({ status: 401, body: { error: "Sign in to run the agent." } });
  expect((await post("email-otp/send-verification-otp", { email: "ann@example.com" })).status).toBe(200);
  const code = await server.line(/^Sign-in code for ann@example\.com: (\d{6})$/m);
  const answer = await post("sign-in/email-otp", { email: "ann@example.com", otp: code });
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(";", 1)[0])
    .join("; ");
  const ann = { status: 200, body: { email: "ann@example.com", orgId: null, authDisabled: false } };
  expect(await sessionOf(cookie)).toEqual(ann);
  await server.stop();
  server = await start();
  expect(await sessionOf(cookie)).toEqual(ann);
});
