/** What files tell a browser (`public/_headers`), and that none of it costs the first screen a second request. */
import { once } from "node:events";
import { get } from "node:http";
import { expect } from "vitest";
import { BUDGET, sentSize } from "../../../src/cli/build/ui-sizes.ts";
import { it } from "../../support/browser/screen-test.ts";

const OF_FILES = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "strict-transport-security": null,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

const headersOf = ({ headers }: Response) =>
  Object.fromEntries(Object.keys(OF_FILES).map((name) => [name, headers.get(name)]));

it("gives every page and file the same protection, without HTTPS on loopback", async ({ site }) => {
  const page = await fetch(`${site.url}/stocks`);
  const script = /\/assets\/chunk-\w+\.js/.exec(await page.text())?.[0] ?? "none";
  const files = await Promise.all(["/", "/icon.svg", script].map((path) => fetch(site.url + path)));
  const passedOn = await fetch(`${site.url}/t/some-thread`, { headers: { accept: "text/html" } });
  expect([page, ...files, passedOn].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect([page, ...files, passedOn].map(headersOf)).toEqual(Array(5).fill(OF_FILES));
});

it.for(["/", "/stocks", "/_framework/openapi.json"])("says how %s may be asked for", async (path, { site }) => {
  const refused = await fetch(site.url + path, { method: "POST" });
  expect([refused.status, refused.headers.get("allow"), await refused.text()]).toEqual([405, "GET, HEAD", ""]);
});

/** The status of a path that is sent as it is: `fetch` would resolve its dots first. */
const statusOf = async (siteUrl: string, path: string): Promise<number | undefined> => {
  const { hostname, port } = new URL(siteUrl);
  const [response] = await once(get({ hostname, port, path }), "response");
  response.resume();
  return response.statusCode;
};

it.for(["/_headers", "/.assetsignore", "/wrangler.toml", "/%2e%2e/wrangler.toml", "/assets/../../package.json"])(
  "has no file %s",
  async (path, { site }) => {
    expect(await statusOf(site.url, path)).toBe(404);
  },
);

it("lets a browser keep the files with hashed names for a year, and not the page", async ({ site }) => {
  const page = await fetch(`${site.url}/stocks`);
  const assets = (await page.text()).match(/\/assets\/[\w-]+\.(?:js|css)/g) ?? [];
  const files = await Promise.all([...new Set(assets)].map((path) => fetch(site.url + path)));
  expect(new Set(files.map(({ headers }) => headers.get("cache-control")))).toEqual(
    new Set(["public, max-age=31536000, immutable"]),
  );
  expect(page.headers.get("cache-control")).not.toMatch(/immutable|max-age=[1-9]/);
});

it("has the schemas of the API for whoever asks, without sign-in, kept for an hour", async ({ site }) => {
  const answer = await fetch(`${site.url}/_framework/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(await answer.json()).toMatchObject({ openapi: "3.1.0", info: { title: "Tally" } });
});

it("names in the page the scripts to load ahead, and all of them are there", async ({ site }) => {
  const page = await (await fetch(`${site.url}/stocks`)).text();
  const paths = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, path]) => path ?? "");
  expect(paths).toContainEqual(expect.stringMatching(/^\/assets\/chunk-\w+\.js$/));
  const files = await Promise.all(paths.map((path) => fetch(site.url + path)));
  expect(files.map(({ status, headers }) => `${status} ${headers.get("content-type")}`)).toEqual(
    paths.map(() => expect.stringMatching(/^200 text\/javascript/)),
  );
});

/** How long the answer is on its way to a browser without TLS, which takes gzip and no brotli. */
const sentLength = async (url: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(url, { headers: { "accept-encoding": "gzip, deflate" } }, async (response) => {
    let length = 0;
    for await (const chunk of response) length += chunk.length;
    resolve(length);
  }).on("error", reject);
  return await promise;
};

it("sends the scripts of the first paint in as many bytes as the build counts, within their budget", async ({
  site,
}) => {
  const page = await (await fetch(`${site.url}/stocks`)).text();
  const urls = [...new Set(page.match(/\/assets\/[\w-]+\.js/g))].map((path) => site.url + path);
  const bodies = await Promise.all(urls.map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())));
  const sent = await Promise.all(urls.map(sentLength));
  expect(sent).toEqual(bodies.map(sentSize));
  expect(sent.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(BUDGET.js);
});

it("asks for the first stocks once: what the page asked for early is what the app takes", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/nowhere", { allow: [/404/] });
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/stocks");
  await page.getByText("AAPL").first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((path) => path === "/_framework/actions/list-stocks")).toHaveLength(1);
});
