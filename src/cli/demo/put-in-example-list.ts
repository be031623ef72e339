/** Puts the example list in for the developer of a demo: once, and only while there is nothing, not even in the trash. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { FRONT_HEADER } from "../../contract/local/front-header.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { EXAMPLE_LIST } from "../../contract/prices/example-list.ts";
import { StartRefusal } from "../../process/run-program.ts";

/** Written once the list was added: somebody who deletes it does not get it back at the next start. */
const recordIn = (persistTo: string): string => join(persistTo, "example-list");

const Listed = z.object({ total: z.int() });

/**
 * Puts it in, if it is due, and lets its prices be fetched. `inner` is where the Worker itself listens.
 *
 * @throws {StartRefusal} when the app does not take it.
 */
export const putInExampleList = async (
  inner: { readonly port: number; readonly secret: string },
  persistTo: string,
  signal: AbortSignal,
): Promise<void> => {
  const act = async (name: string, input: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${inner.port}/_framework/actions/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", [FRONT_HEADER]: inner.secret },
      body: JSON.stringify(input),
      signal,
    });
    const text = await response.text();
    if (!response.ok) throw new StartRefusal(`The example list could not be added: ${text}`);
    return parseJson(text);
  };
  const count = async (input: unknown) => Listed.parse(await act("list-stocks", input)).total;
  try {
    if (!existsSync(recordIn(persistTo)) && (await count({})) + (await count({ deleted: true })) === 0) {
      await act("add-stock", { items: EXAMPLE_LIST });
      writeFileSync(recordIn(persistTo), "");
    }
    // Prices are fetched when somebody looks at the list.
    await act("list-stocks", { limit: 1 });
  } catch (error) {
    // The start was stopped; the caller reports that.
    if (!signal.aborted) throw error;
  }
};
