/** Whose an e-mail address is: no two addresses that a mail server could tell apart are one owner. */
import { describe, expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";

describe("an owner", () => {
  it.each(["kim@example.com", "KIM@Example.COM", " kim@example.com "])("is kim by %o", (email) => {
    expect(OwnerEmail.parse(email)).toBe("kim@example.com");
  });

  it.each(["kim@example.com.", "kim+a@example.com", "k.im@example.com", "kim@example.co"])(
    "is another by %o",
    (email) => {
      expect(OwnerEmail.parse(email)).toBe(email);
    },
  );

  it.each([
    ["the Kelvin sign, a k in lower case", "\u212Aim@example.com"],
    ["a Turkish capital i", "k\u0130m@example.com"],
    ["a Cyrillic i", "k\u0456m@example.com"],
    ["a full-width k", "\uFF4Bim@example.com"],
    ["a zero-width space", "kim\u200B@example.com"],
    ["a no-break space at the end", "kim@example.com\u00A0"],
    ["a combining accent", "ki\u0301m@example.com"],
    ["a look-alike domain", "kim@ex\u0430mple.com"],
    ["text that runs backwards", "\u202Ekim@example.com"],
    ["a line break inside", "kim@example.com\nann@example.com"],
    ["a zero byte", "kim@example.com\u0000"],
  ])("is nobody with %s", (_, email) => {
    expect(OwnerEmail.safeParse(email).success).toBe(false);
  });
});
