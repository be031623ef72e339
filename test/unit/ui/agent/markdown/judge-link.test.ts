/** Where a link of a model's text really leads, and when a person is asked before it opens. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeLink } from "../../../../../src/ui/agent/markdown/judge-link.ts";

describe("a link", () => {
  it.each([
    ["the docs", "https://example.org/page", "example.org"],
    ["click here", "http://example.org:8080/", "example.org:8080"],
    ["v1.2.3, e.g. from 2.0", "https://example.org/", "example.org"],
    ["example.org", "https://example.org/page", "example.org"],
    ["www.example.org", "https://example.org/page", "example.org"],
    ["EXAMPLE.org/page.html", "https://example.org/page.html?a=1", "example.org"],
    ["bücher.example", "https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
    ["mail us", "mailto:help@example.org", "help@example.org"],
  ])("with the words %j to %s says where it leads, and opens at once", (words, href, target) => {
    expect(judgeLink(words, href)).toEqual({ target, isSaid: false, doubt: undefined });
  });

  it.each([
    ["https://example.org/a.html", "https://example.org/a.html"],
    ["https://example.org", "https://example.org/"],
    ["www.example.org", "http://www.example.org/"],
    ["me@example.org", "mailto:me@example.org"],
  ])("whose words are its address, %j, says so already", (words, href) => {
    expect(judgeLink(words, href)).toMatchObject({ isSaid: true, doubt: undefined });
  });

  it.each([
    ["paypal.com", "https://evil.test/login"],
    ["https://paypal.com/login", "https://evil.test/login"],
    ["log in at PayPal.com now", "https://evil.test/"],
    ["paypal.com", "https://paypal.com.evil.test/"],
    ["example.org", "https://user.example.org/"],
    ["pay\u200Bpal\u00AD.com", "https://evil.test/"],
    ["paypal。com", "https://evil.test/"],
    ["ｐａｙｐａｌ．com", "https://evil.test/"],
    ["p\u0430ypal.com", "https://paypal.com/"],
    ["127.0.0.1", "https://evil.test/"],
    ["evil.test or paypal.com", "https://evil.test/"],
    ["boss@example.org", "mailto:evil@example.org"],
    ["example.org", "mailto:me@evil.test"],
  ])("with the words %j to %s asks: they look like another place", (words, href) => {
    expect(judgeLink(words, href).doubt).toBe("otherPlace");
  });

  it.each([
    ["go", "https://paypal.com@evil.test/"],
    ["https://paypal.com@evil.test/", "https://paypal.com@evil.test/"],
    ["go", "https://paypal.com:secret@evil.test/"],
  ])("with a name before its host asks: %j to %s", (words, href) => {
    expect(judgeLink(words, href)).toMatchObject({ target: "evil.test", doubt: "nameBeforeHost" });
  });

  it.each([
    "mailto:me@example.org?body=secret",
    "mailto:me@example.org?subject=Hi",
    "mailto:me@example.org?bcc=evil@x.y",
  ])("to a mail that is written already asks: %s", (href) => {
    expect(judgeLink("write", href)).toMatchObject({ target: "me@example.org", doubt: "writtenMail" });
  });
});

it("words that name a host open at once only if it is the real one", () => {
  const host = fc.constantFrom("paypal.com", "evil.test", "example.org", "a.example.org", "xn--bcher-kva.example");
  const around = fc.constantFrom("", "go to ", "https://", "\u202E", "see: ");
  fc.assert(
    fc.property(host, host, around, (said, real, before) => {
      expect(judgeLink(`${before}${said}`, `https://${real}/x`).doubt).toBe(said === real ? undefined : "otherPlace");
    }),
  );
});
