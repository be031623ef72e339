/** What figures were taken on, for comparing them with others. */
import { cpus, release, totalmem } from "node:os";

/** As it goes into a JSON file. */
export const thisMachine = () => ({
  platform: `${process.platform} ${process.arch} ${release()}`,
  cpus: cpus().map(({ model }) => model),
  memoryBytes: totalmem(),
});
