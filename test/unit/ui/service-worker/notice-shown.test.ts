import { describe, expect, it } from "vitest";
import { isOwnPath, showNotice, shownOf } from "../../../../src/ui/service-worker/notice-shown.ts";

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

it.each([
  ...["//evil.example/", "/\\evil.example", "https://evil.example/", "t/first", "/_framework/account/export", 7],
  ...["/\t/evil.example/x", "/t/../_framework/account/export", "/t/..\\_framework/account/export"],
  ...["/.//evil.example", "/t/..//evil.example"],
])("%j is no path of the app to open", (url) => {
  expect(shownOf(JSON.stringify({ ...NOTICE, url }))?.options.data).toBe("/");
});

it.each(["", "{", "null", "7", '{"title":"a"}', JSON.stringify({ ...NOTICE, tag: 1 })])(
  "%s is no push of ours",
  (text) => {
    expect(shownOf(text)).toBeUndefined();
  },
);

describe("what a device shows after a push, and after the one that takes it back", () => {
  type On = { readonly title: string; readonly tag: string; isOpen: boolean; isNumbered: boolean };

  /**
   * A device's notices. `safari`: a tag replaces nothing, the newest of a tag alone is found, and the last one shown stays open. `linux`:
   * what is closed before the desktop has given it a number stays open.
   */
  const device = (kind: "safari" | "linux" | "other") => {
    const safari = kind === "safari";
    const all: On[] = [];
    const area = {
      showNotification: async (title: string, { tag }: { tag: string }) => {
        if (!safari) for (const old of all) old.isOpen &&= old.tag !== tag;
        all.push({ title, tag, isOpen: true, isNumbered: kind !== "linux" });
      },
      getNotifications: async ({ tag }: { tag: string }) => {
        const newest = all.filter((one) => one.tag === tag).slice(-1);
        return newest.map((one) => ({
          close: () => {
            const isNew = safari && one === all.at(-1) && all.length > 1;
            if (!isNew && one.isNumbered) one.isOpen = false;
          },
        }));
      },
    };
    const push = async (notice: object): Promise<void> => {
      const shown = shownOf(JSON.stringify(notice));
      if (shown !== undefined) await showNotice(shown, area, numberAll);
      await numberAll();
    };
    const numberAll = async (): Promise<void> => {
      for (const one of all) one.isNumbered = true;
    };
    return { push, open: () => all.filter(({ isOpen }) => isOpen).map(({ title }) => title) };
  };

  it.each([
    ["Chrome and Firefox", "other", []],
    ["Chrome on Linux", "linux", []],
    ["Safari", "safari", ["No longer open"]],
  ] as const)("in %s", async (_, kind, left) => {
    const { push, open } = device(kind);
    await push(NOTICE);
    expect(open()).toEqual([NOTICE.title]);
    await push({ ...NOTICE, kind: "close", title: "No longer open" });
    expect(open()).toEqual(left);
  });
});

it("what the server answers itself is not the app's", () => {
  expect(["/_framework", "/_framework/x", "/api/agent/turn", "/assets/a.js"].map(isOwnPath)).not.toContain(true);
  expect(["/", "/stocks", "/t/first", "/apiary"].map(isOwnPath)).not.toContain(false);
});
