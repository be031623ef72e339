import { expect, it } from "vitest";
import { installWords } from "../../../../src/ui/account/settings/install-hint.tsx";

const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0";

it.each([
  [`${MAC} Mobile/15E148 Safari/604.1`, true, "In Safari tap Share, then “Add to Home Screen”."],
  [
    `Mozilla/5.0 (Linux; Android 15) ${BLINK} Mobile Safari/537.36`,
    false,
    "In the browser's menu tap “Install app” or",
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Safari/537.36`, false, "In the browser's menu choose “Install Tally”."],
  [`${MAC} Safari/605.1.15`, false, "In Safari's menu choose File, then “Add to Dock”."],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", false, undefined],
] as const)("%s", (userAgent, isApple, words) => {
  const found = installWords(userAgent, isApple);
  expect(found?.slice(0, words?.length)).toBe(words);
});
