/** The line that a search shows of a text: around the word, in scripts too whose letters fold to none or several. */
import { describe, expect, it } from "vitest";
import { foldText } from "../../../src/contract/fold-text.ts";
import { textAround } from "../../../src/search/found-line.ts";

describe("the line around a word", () => {
  it.each([
    ["Korean", "삼성전자 주가는 오늘 올랐습니다. ", "카카오"],
    ["Thai", "ราคาหุ้นวันนี้เพิ่มขึ้นที่นี่ ", "กำไร"],
    ["Hindi", "शेयर की कीमत आज बढ़ गई है। ", "टाटा"],
    ["ligatures", "ﬃ ß ﬁ 𝐀 ", "copper"],
    ["English", "They ripened in the cellar. ", "copper"],
  ])("has some of the text before it: %s", (_, sentence, word) => {
    const text = `${sentence.repeat(100)}${word}${sentence.repeat(100)}`;
    const line = textAround(text, foldText(word));
    expect(line.slice(0, 1)).toBe("…");
    expect(line.indexOf(word)).toBeGreaterThan(50);
    expect(line.indexOf(word)).toBeLessThan(65);
    expect(line.length).toBeGreaterThan(200);
  });

  it("is the whole of a short text", () => {
    expect(textAround("주가는 올랐습니다", foldText("올랐"))).toBe("주가는 올랐습니다");
  });
});
