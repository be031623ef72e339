/** The dev command's listener as a separate program, in front of the port named second; runs until TERM. */
import { startFront } from "../../src/cli/front/front.ts";

const [port, innerPort] = process.argv.slice(2).map(Number);
const front = await startFront(port ?? 0, { port: innerPort ?? 0, secret: "bench" });
front.open();
process.once("SIGTERM", () => process.exit(0));
process.stdout.write("ready\n");
