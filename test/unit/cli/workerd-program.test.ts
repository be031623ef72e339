/** Which runtime is started: npm's own name for it is a script of Node until an install script has put the program in its place. */
import { accessSync, constants } from "node:fs";
import { expect, it } from "vitest";
import { workerdProgram } from "../../../src/cli/dev/wrangler.ts";

it("is the program in the platform's own package, not the script that npm installs under its name", () => {
  const path = workerdProgram();
  expect(path).toMatch(/\/@cloudflare\/workerd-[a-z0-9-]+\/bin\/workerd$/);
  accessSync(path, constants.X_OK);
});
