/** What is kept of a long output. */
import { expect, it } from "vitest";
import { cutMiddle } from "../../../src/workspace/cut-middle.ts";

it("keeps what fits as it is, to the byte", () => {
  expect(cutMiddle("0123456789", 10)).toEqual({ text: "0123456789", isCut: false });
  expect(cutMiddle("ééééé", 10)).toEqual({ text: "ééééé", isCut: false });
  expect(cutMiddle("", 10)).toEqual({ text: "", isCut: false });
});

it("keeps both ends and says how many bytes are missing", () => {
  expect(cutMiddle("01234567890", 10)).toEqual({ text: "01234\n[1 bytes left out]\n67890", isCut: true });
});

it("cuts between characters", () => {
  expect(cutMiddle("🎉🎉🎉🎉", 10)).toEqual({ text: "🎉\n[4 bytes left out]\n🎉🎉", isCut: true });
});
