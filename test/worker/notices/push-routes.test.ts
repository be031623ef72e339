/** The devices of a person: added, listed, removed; and where a push may go. */
import { env as bindings } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { NewDevice } from "../../../src/contract/notices/notice.ts";
import type { Env } from "../../../src/env.ts";
import { pushEndpoint } from "../../../src/notice/push-endpoint.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { aPhone, subscribe } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import worker from "../../support/workerd/test-worker.ts";

const env: Env = bindings;

const PATH = "/_framework/push";

it("a device is listed with the key to subscribe with, and gone when it is removed", async () => {
  const person = somebody();
  const { deviceId } = await aPhone(person);
  expect(await person.ask("GET", PATH)).toEqual({
    status: 200,
    body: {
      publicKey: env.VAPID_PUBLIC_KEY,
      devices: [{ deviceId, label: "Phone", createdAt: expect.any(String) }],
      lapsed: [],
    },
  });
  const gone = { status: 404, body: { error: "Device not found." } };
  expect(await somebody().ask("DELETE", `${PATH}/${deviceId}`)).toEqual(gone);
  expect(await person.ask("DELETE", `${PATH}/none`)).toEqual(gone);
  expect(await person.ask("DELETE", `${PATH}/${deviceId}`)).toEqual({ status: 200, body: { ok: true } });
  expect(await person.ask("DELETE", `${PATH}/${deviceId}`)).toEqual(gone);
});

it("a browser that subscribes again is the same device, and another person's when they sign in there", async () => {
  const [person, other] = [somebody(), somebody()];
  const { subscription } = await subscribe();
  const add = async (who: typeof person) =>
    (await who.ask("POST", PATH, { ...Object(subscription), label: "Laptop" })).body;
  const first = await add(person);
  expect(await add(person)).toEqual(first);
  expect(await add(other)).not.toEqual(first);
  expect(await person.ask("GET", PATH)).toMatchObject({ body: { devices: [] } });
});

it("a subscription whose keys are padded is the same one", async () => {
  const person = somebody();
  const { subscription } = await subscribe();
  const { endpoint, keys } = NewDevice.omit({ label: true }).parse(subscription);
  const add = async (given: typeof keys) =>
    (await person.ask("POST", PATH, { endpoint, keys: given, label: "Script" })).body;
  const padded = { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` };
  expect(await add(padded)).toEqual(await add(keys));
});

it("an eleventh device takes the place of the oldest", async () => {
  const person = somebody();
  const { deviceId: oldest } = await aPhone(person);
  await env.DB.prepare("UPDATE push_devices SET created_at_ms = 1 WHERE id = ?").bind(oldest).run();
  for (let nth = 0; nth < 10; nth += 1) await aPhone(person);
  const list = Object((await person.ask("GET", PATH)).body);
  expect(list.devices).toHaveLength(10);
  expect(JSON.stringify(list)).not.toContain(oldest);
});

describe("a push goes to known services alone", () => {
  const KNOWN = [
    "https://fcm.googleapis.com/fcm/send/x",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://web.push.apple.com/x",
    "https://wns2-par02p.notify.windows.com/w/?token=x",
  ];
  const OTHERS = [
    ...["http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com.example.com/x"],
    ...["https://evilnotify.windows.com/x", "https://user@fcm.googleapis.com/x", "https://127.0.0.1/x", "nonsense"],
    ...["http://10.0.0.1/x", "http://127.0.0.1.example.com/x", "https://example.com/push", "https://.push.apple.com/x"],
    ...[
      "http://169.254.169.254/x",
      "https://169.254.169.254/x",
      "http://user:pw@127.0.0.1/x",
      "https://fcm.googleapis.com./x",
    ],
  ];

  it("by name", () => {
    expect(KNOWN.filter((url) => pushEndpoint(url, {}) === undefined)).toEqual([]);
    expect(OTHERS.filter((url) => pushEndpoint(url, { LOOPBACK_PUSH: "true" }) !== undefined)).toEqual([]);
    expect(pushEndpoint("http://127.0.0.1:9/x", {})).toBeUndefined();
    expect(pushEndpoint("http://127.0.0.1:9/x", { LOOPBACK_PUSH: "true" })?.href).toBe("http://127.0.0.1:9/x");
  });

  it.each(["http://127.0.0.1:9/x", "http://localhost:9/x", "http://169.254.169.254/latest"])(
    "and not to %s where the Worker is deployed, whatever was deployed with it",
    async (endpoint) => {
      const { subscription } = await subscribe();
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...Object(subscription), endpoint, label: "x" }),
      };
      const answer = await fetchAs(somebody().email, PATH, init, "https://tally.test");
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "endpoint: use one of a known push service" },
      ]);
    },
  );

  it("and others cannot be registered", async () => {
    const person = somebody();
    const { subscription } = await subscribe();
    const body = (endpoint: string) => ({ ...Object(subscription), endpoint, label: "x" });
    expect(await person.ask("POST", PATH, body("https://example.com/push"))).toEqual({
      status: 400,
      body: { error: "endpoint: use one of a known push service" },
    });
    expect(await person.ask("POST", PATH, { label: "" })).toMatchObject({ status: 400 });
  });
});

it.each([
  ["p256dh", `B${"A".repeat(86)}`],
  ["auth", "AA"],
])("a device whose %s nothing can be encrypted with is refused", async (name, key) => {
  const { keys, ...subscription } = Object((await subscribe()).subscription);
  const body = { ...subscription, keys: { ...keys, [name]: key }, label: "x" };
  const error = `keys.${name}: use the subscription's key`;
  expect(await somebody().ask("POST", PATH, body)).toEqual({ status: 400, body: { error } });
  expect(await somebody().ask("POST", PATH, { ...body, keys: [] })).toEqual({
    ...{ status: 400, body: { error: "keys: send a JSON object" } },
  });
});

it("without keys there is no push", async () => {
  const { VAPID_PRIVATE_KEY: _, ...without } = env;
  const off = { ...without, AUTH_DISABLED: "true" };
  const list = await worker.request(`http://localhost${PATH}`, {}, off);
  expect(await list.json()).toMatchObject({ publicKey: null });
  const { subscription } = await subscribe();
  const answer = await worker.request(
    `http://localhost${PATH}`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...Object(subscription), label: "x" }),
    },
    off,
  );
  expect([answer.status, await answer.json()]).toEqual([409, { error: "Push is not set up here." }]);
});
