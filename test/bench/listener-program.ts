/** The dev command's listener as a program of its own, before the port named second; until TERM. */
import { startFront } from "../../src/host/front/front.ts";

const [port, innerPort] = process.argv.slice(2).map(Number);
const front = await startFront(port ?? 0, { port: innerPort ?? 0, secret: "bench" });
front.open();
process.once("SIGTERM", () => process.exit(0));
process.stdout.write("ready\n");
