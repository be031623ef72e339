/** Before each test file: properties try the same values in every run, unless `VITE_PROPERTY_SEED` names another seed. */
import fc from "fast-check";
import { z } from "zod";

const { env } = z
  .object({ env: z.object({ VITE_PROPERTY_SEED: z.coerce.number().int().default(20_261_122) }) })
  .parse(import.meta);

fc.configureGlobal({ seed: env.VITE_PROPERTY_SEED });
