import { describe, expect, it } from "vitest";
import { cacheUses } from "../../support/prompt-cache.ts";

const CACHED = { cache_control: { type: "ephemeral" } };

const text = (words: string, more = {}) => ({ type: "text", text: words, ...more });

/** A request whose system prompt ends a cached prefix, with one message of these blocks. */
const request = (...content: readonly object[]) => ({
  tools: [{ name: "look" }],
  system: [text("Rules.", CACHED)],
  messages: [{ role: "user", content }],
});

describe("the provider's prompt cache", () => {
  it("is empty for a first request, which writes up to its last breakpoint", () => {
    expect(cacheUses([request(text("a"), text("b", CACHED), text("c"))])).toEqual([{ read: 0, written: 4, sent: 5 }]);
  });

  it("gives the longest prefix that was written, wherever its breakpoints are now", () => {
    const first = request(text("a"), text("b", CACHED));
    const second = request(text("a"), text("b"), text("c", CACHED));
    expect(cacheUses([first, second])[1]).toEqual({ read: 4, written: 5, sent: 5 });
  });

  it("gives what stands before the first change", () => {
    const first = request(text("a"), text("b", CACHED));
    expect(cacheUses([first, request(text("other"), text("b", CACHED))])[1]).toMatchObject({ read: 2 });
    expect(cacheUses([first, { ...first, tools: [{ name: "other" }] }])[1]).toMatchObject({ read: 0 });
  });

  it("is looked into up to 20 blocks before a breakpoint", () => {
    const more = (count: number) => Array.from({ length: count }, (_, nth) => text(`more ${nth}`));
    const readBehind = (count: number) =>
      cacheUses([request(text("a", CACHED)), request(text("a"), ...more(count - 1), text("end", CACHED))])[1]?.read;
    expect([readBehind(19), readBehind(20)]).toEqual([3, 2]);
  });

  it("holds nothing of a prefix that had no breakpoint at its end", () => {
    expect(cacheUses([request(text("a")), request(text("a"), text("b", CACHED))])[1]).toMatchObject({ read: 2 });
  });
});
