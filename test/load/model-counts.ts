/** What the model of the load suite has seen so far. */
import { z } from "zod";

/** Its answer to anything but a model call. */
export const ModelCounts = z.object({
  /** Model calls; a turn that was run twice shows here. */
  asked: z.int(),
  /** What the real API would have refused. */
  problems: z.array(z.string()),
});
export type ModelCounts = z.infer<typeof ModelCounts>;
