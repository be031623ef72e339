import { expect, it } from "vitest";
import { parseDevOptions } from "../../../src/cli/dev/dev-options.ts";

const USAGE =
  "Options: --port N, --persist-to DIR, --demo, --auth, --rate-limits, --service-worker, --no-host-workspace, --harness NAME.";

it("needs no option", () => {
  expect(parseDevOptions([], "/project")).toEqual({
    port: 8787,
    persistTo: "/project/.wrangler/state",
    demo: false,
    auth: false,
    rateLimits: false,
    serviceWorker: false,
    hostWorkspace: true,
    harness: undefined,
  });
});

it("reads all options, the directory from where it is called", () => {
  const args = [
    "--port",
    "3000",
    "--persist-to",
    "state",
    "--auth",
    "--rate-limits",
    "--service-worker",
    "--no-host-workspace",
    "--harness",
    "agent-sdk",
  ];
  expect(parseDevOptions(args, "/project")).toEqual({
    port: 3000,
    persistTo: "/project/state",
    demo: false,
    auth: true,
    rateLimits: true,
    serviceWorker: true,
    hostWorkspace: false,
    harness: "agent-sdk",
  });
});

it("keeps a demo apart from the developer's own data, unless told where", () => {
  expect(parseDevOptions(["--demo"], "/project")).toMatchObject({ demo: true, persistTo: "/project/.wrangler/demo" });
  expect(parseDevOptions(["--demo", "--persist-to", "here"], "/project").persistTo).toBe("/project/here");
});

it.each([
  [["--prot", "1"], `Unknown option '--prot'. ${USAGE}`],
  [["--port"], `Option '--port <value>' argument missing. ${USAGE}`],
  [["--auth=yes"], `Option '--auth' does not take an argument. ${USAGE}`],
  [["start"], `Unexpected argument 'start'. ${USAGE}`],
  [["--port", "0"], '--port: use a number from 1 to 65535, not "0".'],
  [["--port", "65536"], '--port: use a number from 1 to 65535, not "65536".'],
  [["--port", "80a"], '--port: use a number from 1 to 65535, not "80a".'],
  [["--harness", "other"], "--harness: use anthropic or agent-sdk."],
  [["--persist-to="], "--persist-to: name a directory."],
])("refuses %j with exit code 2 and one line", (args, message) => {
  expect(() => parseDevOptions(args, "/project")).toThrow(expect.objectContaining({ message, exitCode: 2 }));
});
