import { expect, it } from "vitest";
import { parseDevOptions } from "../../../src/host/dev-options.ts";

const USAGE = "Options: --port N, --persist-to DIR, --auth, --rate-limits, --no-host-workspace.";

it("needs no option", () => {
  expect(parseDevOptions([], "/project")).toEqual({
    port: 8787,
    persistTo: "/project/.wrangler/state",
    auth: false,
    rateLimits: false,
    hostWorkspace: true,
  });
});

it("reads all options, the directory from where it is called", () => {
  const args = ["--port", "3000", "--persist-to", "state", "--auth", "--rate-limits", "--no-host-workspace"];
  expect(parseDevOptions(args, "/project")).toEqual({
    port: 3000,
    persistTo: "/project/state",
    auth: true,
    rateLimits: true,
    hostWorkspace: false,
  });
});

it.each([
  [["--prot", "1"], `Unknown option '--prot'. ${USAGE}`],
  [["--port"], `Option '--port <value>' argument missing. ${USAGE}`],
  [["--auth=yes"], `Option '--auth' does not take an argument. ${USAGE}`],
  [["start"], `Unexpected argument 'start'. ${USAGE}`],
  [["--port", "0"], '--port: use a number from 1 to 65535, not "0".'],
  [["--port", "65536"], '--port: use a number from 1 to 65535, not "65536".'],
  [["--port", "80a"], '--port: use a number from 1 to 65535, not "80a".'],
  [["--persist-to="], "--persist-to: name a directory."],
])("refuses %j with exit code 2 and one line", (args, message) => {
  expect(() => parseDevOptions(args, "/project")).toThrow(expect.objectContaining({ message, exitCode: 2 }));
});
