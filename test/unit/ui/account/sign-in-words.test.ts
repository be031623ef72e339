/** What people type and paste as a code, and waits in words. */
import { describe, expect, it } from "vitest";
import { readCode } from "../../../../src/ui/account/sign-in/read-code.ts";
import { sayWait } from "../../../../src/ui/format/wait-words.ts";

describe("a code", () => {
  it.each([
    ["123456", "123456"],
    [" 123 456 ", "123456"],
    ["123-456", "123456"],
    ["Your sign-in code for Tally is 012345.", "012345"],
    ["1234567", "123456"],
    ["١٢٣٤٥٦", "123456"],
    ["کد شما ۰۱۲ ۳۴۵ است", "012345"],
    ["１２３４５６", "123456"],
    ["𝟎𝟗𝟘𝟡𝟢𝟫", "090909"],
    ["½²①Ⅳ", ""],
    ["12a", "12"],
    ["", ""],
  ])("of %j is %j", (text, code) => {
    expect(readCode(text)).toBe(code);
  });
});

describe("a wait", () => {
  it.each([
    [1, "1 second"],
    [30, "30 seconds"],
    [90, "90 seconds"],
    [91, "2 minutes"],
    [900, "15 minutes"],
    [5_401, "2 hours"],
    [86_400, "24 hours"],
  ])("of %d s is %j", (seconds, words) => {
    expect(sayWait(seconds)).toBe(words);
  });
});
