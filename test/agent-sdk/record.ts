/** Records every scenario with the real SDK into `test/support/agent-sdk/recordings`. Arguments: names, or none for all. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RECORDED_DIR, RECORDINGS_DIR, type Recording } from "../support/agent-sdk/recording.ts";
import { play, requireSdk } from "./play.ts";
import { startProvider } from "./provider.ts";
import { SCENARIOS } from "./scenarios.ts";

const names = process.argv.slice(2);
const provider = await startProvider();
mkdirSync(RECORDINGS_DIR, { recursive: true });
for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const { turns, host } = await play(scenario, provider);
  const recording: Recording = {
    scenario: scenario.about,
    sdkVersion: requireSdk().version,
    recordedOn: new Date().toISOString().slice(0, 10),
    turns,
  };
  // What is of this machine alone: the paths of the workspace and of the state beside it.
  const text = JSON.stringify(recording, null, 1)
    .replaceAll(host.dir, RECORDED_DIR)
    .replaceAll(host.stateDir, "/state")
    // In pieces of inputs as they stream, cut anywhere.
    .replace(/\/tmp\/(cc-socks|tally-har)[^"\\]*/g, "/tmp");
  writeFileSync(join(RECORDINGS_DIR, `${scenario.name}.json`), `${text}\n`);
  process.stdout.write(`${scenario.name}: ${turns.map(({ lines }) => lines.length).join(", ")} lines\n`);
  await host.close();
}
process.stdout.write(`${JSON.stringify(await provider.violations())}\n`);
await provider.close();
