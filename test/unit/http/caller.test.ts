/** The development identity (api.md §1), and where it must not hold. */
import { describe, expect, it } from "vitest";
import { resolveDevelopmentCaller } from "../../../src/http/caller.ts";

const dev = { ownerEmail: "dev@local.test", orgId: null };

const callerAt = (host: string, authDisabled?: string) =>
  resolveDevelopmentCaller(
    new Request(`http://${host}/_framework/session`),
    authDisabled === undefined ? {} : { AUTH_DISABLED: authDisabled },
  );

describe("with AUTH_DISABLED", () => {
  it.each(["localhost", "localhost:8787", "127.0.0.1:8787", "[::1]:8787"])("somebody is signed in at %s", (host) => {
    expect(callerAt(host, "true")).toEqual(dev);
  });

  it.each(["tally.example.com", "localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "[::2]", "0.0.0.0"])(
    "nobody is signed in at %s",
    (host) => {
      expect(callerAt(host, "true")).toBeUndefined();
    },
  );

  it.each(["true", "TRUE", " 1 "])("is on as %j", (value) => {
    expect(callerAt("localhost", value)).toEqual(dev);
  });

  it.each(["false", "0", "", "yes please"])("is off as %j", (value) => {
    expect(callerAt("localhost", value)).toBeUndefined();
  });
});

it("without AUTH_DISABLED nobody is signed in, at localhost either", () => {
  expect(callerAt("localhost")).toBeUndefined();
});
