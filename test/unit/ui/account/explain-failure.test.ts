/** Why a request of the account or the sign-in failed, in words. */
import { expect, it } from "vitest";
import { explainFailure } from "../../../../src/ui/account/explain-failure.ts";
import { ApiError } from "../../../../src/ui/api/api-error.ts";

it.each([
  // All mails of an hour are counted together, so this may be somebody's first.
  [429, "Too many requests. Try again later.", 3600, "Too many requests. Try again in 60 minutes."],
  [503, "The code could not be sent. Try again later.", undefined, "The code could not be sent. Try again later."],
  [409, "Push is not set up here.", undefined, "Push is not set up here."],
])("a %d is told in the server's words, with the wait: %s", (status, message, retryAfterSeconds, words) => {
  expect(explainFailure(new ApiError(status, message, { retryAfterSeconds }))).toBe(words);
});
