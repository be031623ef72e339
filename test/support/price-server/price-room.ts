/** A test's end of the price server: a world of its own. Runs in Node and workerd. */
import { z } from "zod";
import { type PriceWorld, SeenRequest } from "./price-world.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of the price server that `start-price-server.ts` started. */
    priceUrl: string;
  }
}

/** What a world can be set to; what is left out has its default. */
export type WorldSetting = z.input<typeof PriceWorld>;

/** A room in the price server. Its `url` is the base URL of all services, `key` its name. */
export const priceRoom = (serverUrl: string, key: string = crypto.randomUUID()) => {
  const url = `${serverUrl}/${key}`;
  return {
    url,
    /** A key that leads to this room as well, at the address of all rooms. */
    key,
    /** Sets the whole world. */
    set: async (world: WorldSetting): Promise<void> => {
      const { status } = await fetch(url, { method: "PUT", body: JSON.stringify(world) });
      if (status !== 200) throw new Error("The price server refused a world.");
    },
    /** Resolves once a request is held back. */
    holds: async (): Promise<void> => {
      await (await fetch(`${url}/held`)).text();
    },
    /** The requests so far, oldest first. */
    seen: async (): Promise<SeenRequest[]> => z.array(SeenRequest).parse(await (await fetch(`${url}/seen`)).json()),
  };
};
