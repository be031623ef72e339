/** Counts calls to D1 where they are sent, whoever makes them. */
import { env } from "cloudflare:test";
import { aroundMethod } from "../around-method.ts";

/** Counts from now on, until the test is over; returns the calls so far whose text contains `part`. Call it inside a test. */
export const countD1 = (): ((part: string) => number) => {
  const bodies: string[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, args, call) => {
    bodies.push(JSON.stringify(args[1]));
    return call();
  });
  return (part) => bodies.filter((body) => body.includes(part)).length;
};
