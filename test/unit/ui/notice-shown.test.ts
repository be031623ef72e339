import { expect, it } from "vitest";
import { isOwnPath, shownOf } from "../../../src/ui/service-worker/notice-shown.ts";

const NOTICE = { kind: "permission", tag: "request-1", title: "The agent needs your permission", url: "/t/first" };

it("a push is shown under its tag, with the path to open, and nothing else that it holds", () => {
  expect(shownOf(JSON.stringify({ ...NOTICE, body: "secret" }))).toEqual({
    title: "The agent needs your permission",
    options: { tag: "request-1", data: "/t/first", icon: "/icon-192.png" },
    isClosing: false,
  });
});

it("one that takes another back is silent", () => {
  expect(shownOf(JSON.stringify({ ...NOTICE, kind: "close" }))).toMatchObject({
    options: { tag: "request-1", silent: true },
    isClosing: true,
  });
});

it.each(["//evil.example/", "/\\evil.example", "https://evil.example/", "t/first", "/_framework/account/export", 7])(
  "%s is no path of the app to open",
  (url) => {
    expect(shownOf(JSON.stringify({ ...NOTICE, url }))?.options.data).toBe("/");
  },
);

it.each(["", "{", "null", "7", '{"title":"a"}', JSON.stringify({ ...NOTICE, tag: 1 })])(
  "%s is no push of ours",
  (text) => {
    expect(shownOf(text)).toBeUndefined();
  },
);

it("what the server answers itself is not the app's", () => {
  expect(["/_framework", "/_framework/x", "/api/agent/turn", "/assets/a.js"].map(isOwnPath)).not.toContain(true);
  expect(["/", "/stocks", "/t/first", "/apiary"].map(isOwnPath)).not.toContain(false);
});
