/** The demo's prices are asked for on loopback, or not at all (decision 0123). */
import { expect, it } from "vitest";
import { licenceOf } from "../../../src/quotes/find-access.ts";

it.each([
  ["http://127.0.0.1:4242", "display"],
  ["http://localhost:4242/", "display"],
  ["https://prices.example.com", "owner"],
  ["http://127.0.0.1.example.com", "owner"],
  ["file:///etc/passwd", "owner"],
  ["", "owner"],
  [undefined, "owner"],
])("with DEMO_PRICES_URL %s the licence is %s", (url, licence) => {
  expect(licenceOf(url === undefined ? {} : { DEMO_PRICES_URL: url })).toBe(licence);
});
