/** Browsers in words: the User-Agent headers of those in wide use, and what is none. */
import { expect, it } from "vitest";
import { describeBrowser } from "../../../../src/ui/account/settings/describe-browser.ts";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Safari/537.36`, "Chrome on Linux", false],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 Edg/140.0.0.0`, "Edge on Windows", false],
  [`Mozilla/5.0 (Linux; Android 15) ${BLINK} Mobile Safari/537.36`, "Chrome on Android", true],
  [
    `Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
    true,
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
    true,
  ],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`, "Safari on macOS", false],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux", false],
  ["curl/8.5.0", "Unknown browser", false],
  ["<b>Chrome/1</b> (Windows)", "Chrome on Windows", false],
  ["", "Unknown browser", false],
  [null, "Unknown browser", false],
] as const)("%s", (userAgent, words, isPhone) => {
  expect(describeBrowser(userAgent)).toEqual({ words, isPhone });
});
