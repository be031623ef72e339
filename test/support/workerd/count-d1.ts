/** Counts calls to D1 at its own wire, whoever makes them. */
import { env } from "cloudflare:test";
import { aroundMethod } from "../around-method.ts";

/** Counts from now on, until the test is over; gives the calls so far whose text holds `part`. Called inside a test. */
export const countD1 = (): ((part: string) => number) => {
  const bodies: string[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, args, call) => {
    bodies.push(JSON.stringify(args[1]));
    return call();
  });
  return (part) => bodies.filter((body) => body.includes(part)).length;
};
