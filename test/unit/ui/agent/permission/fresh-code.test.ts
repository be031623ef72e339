/** How the card knows that the server wants a code before it takes an answer: by the kind of the refusal, not by its words. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { wantsFreshCode } from "../../../../../src/ui/agent/permission/fresh-code-form.tsx";
import { requestJson } from "../../../../../src/ui/api/request-json.ts";

/** What a request to a server comes to that refuses it like this. */
const refusedWith = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const server = createServer((_, response) => {
    response.writeHead(403, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: "Enter the code we sent you." }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = Object(server.address());
  return await requestJson(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
};

it("is a refusal of that kind", async () => {
  expect(wantsFreshCode(await refusedWith({ "X-Error-Code": "fresh_code" }))).toBe(true);
});

it("is no other refusal, whatever its words", async () => {
  expect(wantsFreshCode(await refusedWith({}))).toBe(false);
  expect(wantsFreshCode(await refusedWith({ "X-Error-Code": "INVALID_OTP" }))).toBe(false);
  expect(wantsFreshCode(new Error("fresh_code"))).toBe(false);
});
