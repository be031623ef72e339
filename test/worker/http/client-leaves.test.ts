/** A client that disconnects while its request is worked on: what it has begun is handed to the platform, which lets it end. */
import { env } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { SessionObject } from "../../../src/session/session-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { holdingDatabase } from "../../support/workerd/holding-database.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

/** Somebody whose requests are made with a context of their own: `kept` is what the platform was asked to wait for. */
const person = async () => {
  const browser = await signIn();
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const kept: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void kept.push(work),
    passThroughOnException: () => {},
    props: {},
  };
  const send = (method: string, path: string, body?: unknown, DB = env.DB) => {
    const headers = { cookie, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return worker.fetch(new Request(`https://tally.test${path}`, init), DB === env.DB ? env : { ...env, DB }, context);
  };
  return { browser, kept, send };
};

/** Holds the next call of a method until it is let go. Resolves `reached` once it is there. */
const holdOnce = (owner: object, name: string) => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  aroundMethod(owner, name, async (_self, _args, call) => {
    reached.resolve();
    await gate.promise;
    return await call();
  });
  return { reached: reached.promise, release: gate.resolve };
};

const Threads = z.object({ threads: z.array(z.unknown()) });

it("a deletion of a thread", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("Hello.")]);
  const { browser, kept, send } = await person();
  await (await send("POST", "/api/agent/turn", { threadId: "t", prompt: model.prompt("Hi") })).text();
  await Promise.all(kept.splice(0));
  const held = holdOnce(SessionObject.prototype, "purge");
  const answer = send("DELETE", "/_framework/threads/t");
  await held.reached;
  expect(kept).toHaveLength(1);
  held.release();
  await Promise.all(kept);
  const { body } = await browser.ask("GET", "/_framework/threads");
  expect(Threads.parse(body).threads).toEqual([]);
  expect((await answer).status).toBe(200);
});

it("the start of a turn", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("Hello.")]);
  const { browser, kept, send } = await person();
  const held = holdOnce(SessionObject.prototype, "enqueue");
  const answer = send("POST", "/api/agent/turn", { threadId: "t", prompt: model.prompt("Hi") });
  await held.reached;
  expect(kept).toHaveLength(1);
  held.release();
  await Promise.all(kept);
  const { body } = await browser.ask("GET", "/_framework/threads");
  expect(Threads.parse(body).threads).toHaveLength(1);
  expect((await answer).status).toBe(200);
});

it("a sign-in, whose address would be locked to everybody", async () => {
  const { kept, send } = await person();
  const email = `${crypto.randomUUID()}@example.com`;
  await aBrowser().askForCode(email);
  const held = holdingDatabase(env.DB, 'delete from "sign_in_codes"');
  const otp = codesSentTo(email).at(-1);
  const answer = send("POST", "/_framework/auth/sign-in/email-otp", { email, otp }, held.binding);
  await held.reached;
  expect(kept).toHaveLength(1);
  held.release();
  await Promise.all(kept);
  expect((await answer).status).toBe(200);
});

it("an invitation that is accepted", async () => {
  const { browser, kept, send } = await person();
  const owner = await signIn();
  const organizationId = await owner.openOrganization();
  const invitation = { email: browser.email, organizationId };
  const { body } = await owner.ask("POST", "/_framework/auth/organization/invite-member", invitation);
  const held = holdingDatabase(env.DB, 'insert into "members"');
  const accepted = { invitationId: Object(body).id };
  const answer = send("POST", "/_framework/auth/organization/accept-invitation", accepted, held.binding);
  await held.reached;
  expect(kept).toHaveLength(1);
  held.release();
  await Promise.all(kept);
  expect((await answer).status).toBe(200);
  expect((await browser.ask("GET", "/_framework/auth/organization/list")).body).toMatchObject([{ id: organizationId }]);
});
