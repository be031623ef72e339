/** Events that a chat this short never has, put into the stream of a real run on its way to the page. */
import type { Page } from "playwright-core";
import { z } from "zod";

const Event = z.looseObject({ type: z.string() });
type Event = z.infer<typeof Event>;

/** Lets `change` have the events of each finished run; what it answers is numbered anew. Call it before the page reads them. */
export const changeEvents = (page: Page, change: (events: readonly Event[]) => readonly Event[]): Promise<unknown> =>
  page.route("**/_framework/runs/*/events?after=0", async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).matchAll(/^data: (.*)$/gm);
    const events = change([...lines].map(([, json = ""]) => Event.parse(JSON.parse(json))));
    const frames = events.map((event, index) => {
      const seq = index + 1;
      return `id: ${seq}\ndata: ${JSON.stringify({ at: "2026-01-01T00:00:00.000Z", ...event, seq })}\n\n`;
    });
    await route.fulfill({ response, body: frames.join("") });
  });

/** The events with more of them before the first message. */
export const beforeMessage = (events: readonly Event[], more: readonly Event[]): readonly Event[] =>
  events.flatMap((event) => (event.type === "message_start" ? [...more, event] : [event]));
