/** Which ways to write an address are one mailbox, for counters. */
import { expect, it } from "vitest";
import { invitationsBy } from "../../../src/auth/count-attempts.ts";
import { mailboxOf } from "../../../src/contract/digest.ts";

it.each([
  ["ann@example.com", "ann@example.com"],
  ["ann+one@example.com", "ann@example.com"],
  ["ann+one+two@example.com", "ann@example.com"],
  ["a.n.n+x@gmail.com", "ann@gmail.com"],
  ["ann@googlemail.com", "ann@gmail.com"],
  ["a.n.n@example.com", "a.n.n@example.com"],
  ["ann@mail.gmail.com", "ann@mail.gmail.com"],
])("%s counts as %s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

it("invitations of one mailbox are counted together", () => {
  expect(invitationsBy("ann+1@example.com")).toEqual(invitationsBy("ann+2@example.com"));
});
