/** Names of tools that a model makes up, as the API takes them back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptedName } from "../../../src/harness/anthropic/conversation.ts";

/** Any code units, so also halves of characters. */
const anyName = fc.array(fc.nat(0xffff), { maxLength: 200 }).map((units) => String.fromCharCode(...units));

const ACCEPTED = /^[a-zA-Z0-9_-]{1,128}$/;

describe("the name of a call", () => {
  it.each([
    ["functions.read_file", "unknown_functions_read_file"],
    ["read file", "unknown_read_file"],
    ["", "unknown_"],
    ["読む", "unknown___"],
    ["a".repeat(129), `unknown_${"a".repeat(120)}`],
  ])("%j goes back as %j", (name, accepted) => {
    expect(acceptedName(name)).toBe(accepted);
  });

  it.each(["read_file", "Read-File-2", "a".repeat(128)])("%j goes back as it is", (name) => {
    expect(acceptedName(name)).toBe(name);
  });

  it("is one the API takes, and the same the next time, whatever the model made up", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(acceptedName(name)).toMatch(ACCEPTED);
        expect(acceptedName(acceptedName(name))).toBe(acceptedName(name));
      }),
    );
  });

  it("that is changed is never the name of a tool there is", () => {
    expect(acceptedName("read.file")).not.toBe(acceptedName("read_file"));
  });
});
