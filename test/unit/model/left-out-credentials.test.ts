/** What the deployed Worker has in place of how the model's client looks for credentials. */
import { expect, it } from "vitest";
import {
  defaultCredentials,
  resolveCredentialsFromConfig,
  TokenCache,
} from "../../../src/model/anthropic/left-out-credentials.ts";

it("finds no credential anywhere", () => {
  expect(defaultCredentials).toThrow("has to be given its credential");
  expect(TokenCache).toThrow("has to be given its credential");
  expect(resolveCredentialsFromConfig).toThrow("has to be given its credential");
});
