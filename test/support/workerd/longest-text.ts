/** The longest text that D1 answers with: local ones have no limit. */
import { env } from "cloudflare:test";
import { z } from "zod";
import { aroundMethod } from "../around-method.ts";

/** What a deployed D1 makes no longer text than (https://developers.cloudflare.com/d1/platform/limits/). */
export const MAX_TEXT_BYTES = 2_000_000;

/** Tells how long the longest one from now on is, in bytes. */
export const watchTexts = () => {
  let longest = 0;
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", async (_, __, call) => {
    const response = z.instanceof(Response).parse(await call());
    JSON.parse(await response.clone().text(), (_name, value) => {
      if (typeof value === "string") longest = Math.max(longest, Buffer.byteLength(value));
    });
    return response;
  });
  return () => longest;
};
