/** Part of `npm run check`: checks the size of the Worker as a deploy bundles it. */
import { runProgram, StartRefusal } from "../../process/run-program.ts";
import { tryDeploy } from "../run-deploy.ts";
import { MAX_WORKER_KIB, sizeProblems, workerKib } from "./worker-build.ts";

await runProgram(async (stop) => {
  const output = await tryDeploy({ relay: false }, stop);
  const problems = sizeProblems(output);
  if (problems.length > 0) throw new StartRefusal(problems.join("\n"));
  console.log(`Worker: ${workerKib(output)} KiB gz (at most ${MAX_WORKER_KIB})`);
});
