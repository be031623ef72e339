/** By which address sign-in counts. */
import { expect, it } from "vitest";
import { addressOf } from "../../../src/auth/count-attempts.ts";

const counted = (address: string) =>
  addressOf(new Request("https://tally.test", { headers: { "cf-connecting-ip": address } }));

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::6", "2001:db8:1:2"],
  ["2001:db8::6", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("%s counts as %s", (address, expected) => {
  expect(counted(address)).toBe(expected);
});

it("two addresses of one household are the same, those of two are not", () => {
  expect(counted("2001:db8:1:2::1")).toBe(counted("2001:db8:1:2:ffff::9"));
  expect(counted("2001:db8:1:2::1")).not.toBe(counted("2001:db8:1:3::1"));
});
