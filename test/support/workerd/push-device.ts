/** A person's phone: subscribed to the push service of the tests, with what it was sent. */
import { inject } from "vitest";
import { z } from "zod";
import { PushedNotice } from "../../../src/contract/notices/notice.ts";
import "../start-push-server.ts";
import type { Somebody } from "./somebody.ts";

const Received = z.array(z.object({ topic: z.string(), ttl: z.number(), urgency: z.string(), notice: PushedNotice }));

/** What a browser's `pushManager.subscribe` gives. */
export const subscribe = async () => {
  const id = crypto.randomUUID();
  const url = inject("pushUrl");
  const subscription: unknown = await (await fetch(`${url}/subscribe/${id}`)).json();
  const all = async () => Received.parse(await (await fetch(`${url}/received/${id}`)).json());
  return {
    subscription,
    all,
    notices: async () => (await all()).map(({ notice }) => notice),
    /** It is off, or without a network: the service keeps for it what it can. */
    leave: async () => void (await (await fetch(`${url}/leave/${id}`)).text()),
    comeBack: async () => void (await (await fetch(`${url}/return/${id}`)).text()),
    /** What the service answers the next pushes; 599 is a push that was delivered and then answered 503. */
    answerWith: async (...replies: (number | { readonly status: number; readonly retryAfter: string })[]) => {
      const body = JSON.stringify(replies.map((reply) => (typeof reply === "number" ? { status: reply } : reply)));
      await fetch(`${url}/answer/${id}`, { method: "POST", body });
    },
  };
};

/** The same, registered as the person's. */
export const aPhone = async (person: Pick<Somebody, "ask">) => {
  const phone = await subscribe();
  const body = { ...Object(phone.subscription), label: "Phone" };
  const { deviceId } = z
    .object({ deviceId: z.string() })
    .parse((await person.ask("POST", "/_framework/push", body)).body);
  return { ...phone, deviceId };
};
