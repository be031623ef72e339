/** The app on a network that is there and brings nothing: after some seconds it counts as none (decision 0223). */
import { expect } from "vitest";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { TROUBLES, untilKept, WAIT } from "./offline-page.ts";
import { APPLE } from "./stocks-page.ts";

const it = itOnOwnSite({ args: ["--auth", "--service-worker"] });

it("opens its kept page when the server's does not come", async ({ phone, tally, link }) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { at: link.url, allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  const asked = link.requests.length;
  const letGo = link.hold("/stocks");
  // After four seconds.
  await page.reload(WAIT);
  await page.getByText("1 stock", { exact: true }).waitFor();
  expect(link.requests.slice(asked)).toContain("GET /stocks");
  letGo();
});

it("shows its kept list with its age when the server's does not come, and that once it does", async ({
  phone,
  tally,
  link,
}) => {
  await tally.seedStocks([APPLE]);
  const page = await phone("/stocks", { at: link.url, allow: TROUBLES });
  await page.getByText("1 stock").waitFor();
  await untilKept(page, "AAPL");
  await tally.act("add-stock", { symbol: "MSFT" });
  const letGo = link.hold("list-stocks");
  await page.reload();
  // Four seconds after the code for it has come, which is asked for last.
  await page.getByText("1 stock. As of ").waitFor(WAIT);
  letGo();
  await page.getByText("2 stocks", { exact: true }).waitFor();
});
