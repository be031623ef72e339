/** Who may sign in, by the list of `ALLOWED_EMAILS`. */
import { describe, expect, it } from "vitest";
import { isAllowedEmail, NAMES_NOBODY, readAllowedEmails } from "../../../src/auth/allowed-emails.ts";

describe("a list", () => {
  const ALLOWED_EMAILS = "Ann@Example.com, @firm.test\n bob@other.test,,";

  it.each(["ann@example.com", "bob@other.test", "anybody@firm.test"])("allows %s", (email) => {
    expect(isAllowedEmail({ ALLOWED_EMAILS }, email)).toBe(true);
  });

  it.each([
    "eve@example.com",
    "ann@example.com.evil.test",
    "eve@sub.firm.test",
    "eve@notfirm.test",
    "firm.test@evil.test",
    "ann",
    "",
  ])("does not allow %j", (email) => {
    expect(isAllowedEmail({ ALLOWED_EMAILS }, email)).toBe(false);
  });

  it.each(["", ",", " ", " , ", ",,\n"])("of no entry (%j) allows nobody", (text) => {
    expect(isAllowedEmail({ ALLOWED_EMAILS: text }, "ann@example.com")).toBe(false);
    expect(isAllowedEmail({ ALLOWED_EMAILS: text }, "")).toBe(false);
  });

  it("with nothing in it that can be read allows nobody", () => {
    expect(isAllowedEmail({ ALLOWED_EMAILS: "*" }, "ann@example.com")).toBe(false);
    expect(readAllowedEmails("* ann@ @firm ann@example.com")?.unreadable).toEqual(["*", "ann@", "@firm"]);
    const never = ["*@example.org", "ann@example.com;", '"ann@example.com"', "jürgen@example.com", "@*.example.org"];
    expect(readAllowedEmails(never.join(" "))).toEqual({ emails: new Set(), domains: new Set(), unreadable: never });
  });
});

it("is read as the list that somebody wrote instead of a text, and its remedy does not open the app", () => {
  const list = JSON.parse('{"ALLOWED_EMAILS":["ann@example.com","@firm.test"]}');
  expect(isAllowedEmail(list, "ann@example.com")).toBe(true);
  expect(isAllowedEmail(list, "eve@example.com")).toBe(false);
  expect(NAMES_NOBODY).not.toContain("remove");
  expect(NAMES_NOBODY).toContain("Without the list, everybody can sign in");
});

it("no list allows everybody", () => {
  expect(isAllowedEmail({}, "ann@example.com")).toBe(true);
});
