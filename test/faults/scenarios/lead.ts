/** Turns that a person leads or takes back: a message while it works, an undo behind it, a chat branched from it. */
import { join } from "node:path";
import { z } from "zod";
import { say } from "../../support/model-script.ts";
import { keysIn, userText } from "../world/playing-model.ts";
import { follow, type Received, Recording } from "../world/recording.ts";
import { callStep } from "./calls.ts";
import { contentOf } from "./effects.ts";
import { allowOnce, type PlayedTurn, type Scenario, type Surroundings } from "./scenario.ts";

const countOf = (events: readonly Received[], type: Received["type"]): number =>
  events.filter((event) => event.type === type).length;

/** Something is said at the nth event: it is kept once, and given to the model once, or given back. */
export const steered: Scenario = (id, random) => {
  const at = random.int(2, 22);
  const words = `words of ${id}`;
  let wasTaken = false;
  return {
    name: `steered at event ${at}`,
    turns: [
      {
        text: "Be told",
        steps: [
          callStep(id, 1, [{ name: "list-stocks", input: {} }]),
          callStep(id, 2, [{ name: "add-stock", input: { symbol: `K${id}T` } }]),
          () => say("One two three four.", { deltas: 4, delayMs: 10 }),
        ],
        react: (event, person) => {
          allowOnce(event, person);
          const wish = { of: "run", path: "/messages", body: { text: words }, statuses: [200, 409] } as const;
          if (event.seq === at) person.ask(wish, ({ status }) => (wasTaken = status === 200));
        },
      },
    ],
    mayEnd: ["completed"],
    problems: async ([turn]) => steerProblems(turn, words, wasTaken),
  };
};

const steerProblems = (turn: PlayedTurn | undefined, words: string, wasTaken: boolean): string[] => {
  const events = turn?.events ?? [];
  const [said, applied, dropped] = (["steer_message", "steer_applied", "steer_dropped"] as const).map((type) =>
    countOf(events, type),
  );
  const asked = turn?.play.requests.map(({ messages }) => messages.map(userText).join("\n")) ?? [];
  const given = Math.max(0, ...asked.map((text) => text.split(words).length - 1));
  const told = `taken: ${wasTaken}, said ${said}, applied ${applied}, dropped ${dropped}, given ${given} times`;
  const isKept = said === Number(wasTaken) && (applied ?? 0) + (dropped ?? 0) === said;
  return isKept && given === applied ? [] : [told];
};

const Undone = z.object({
  stocks: z.array(z.object({ symbol: z.string(), state: z.string() })),
  files: z.array(z.object({ path: z.string(), state: z.string() })),
});
const Trash = z.object({ items: z.array(z.object({ symbol: z.string(), version: z.int() })) });

/** What a turn has added, changed and written is undone, each once, as soon as it has ended. */
export const undone: Scenario = (id) => {
  const prefix = `K${id}Z`;
  const symbols = [`${prefix}A`, `${prefix}B`, `${prefix}C`];
  const path = `undone-${id}.txt`;
  const items = symbols.map((symbol) => ({ symbol, quantity: "1" }));
  const states: string[] = [];
  return {
    name: "undone",
    isUndone: true,
    turns: [
      {
        text: "Be undone",
        steps: [
          callStep(id, 1, [{ name: "add-stock", input: { items } }]),
          callStep(id, 2, [{ name: "write_file", input: { path, content: "made\n" } }]),
          () => say("Made."),
        ],
        react: (event, person) => {
          allowOnce(event, person);
          if (event.type !== "run_end") return;
          person.ask({ of: "run", path: "/undo", body: {}, statuses: [200] }, ({ body }) => {
            const { stocks, files } = Undone.parse(body);
            states.push(...[...stocks, ...files].map(({ state }) => state));
          });
        },
      },
    ],
    mayEnd: ["completed"],
    problems: async (_, { site, workspaceDir }) => {
      const read = (deleted: boolean) =>
        site.read(Trash, "/_framework/actions/list-stocks", { q: prefix, deleted, limit: 200 });
      const [live, trash] = [await read(false), await read(true)];
      const versions = trash.items.map(({ version }) => version).join();
      const left = await contentOf(join(workspaceDir, path));
      return [
        ...(states.join() === "done,done,done,done" ? [] : [`an undo said ${states.join()}`]),
        ...(live.items.length === 0 && versions === "2,2,2"
          ? []
          : [`undone, but ${live.items.length} are there; versions in the trash: ${versions}`]),
        ...(left === undefined ? [] : [`${path} is still there`]),
      ];
    },
  };
};

const Fork = z.object({ threadId: z.string() });
const Runs = z.object({ runs: z.array(z.object({ runId: z.string(), inherited: z.boolean().optional() })) });

/** The chat is branched before its second turn: the branch knows the first one alone, and goes on. */
export const branched: Scenario = (id) => {
  let branch = "";
  return {
    name: "branched",
    turns: [
      { text: "Stay", steps: [callStep(`${id}a`, 1, [{ name: "list-stocks", input: {} }]), () => say("Stays.")] },
      {
        text: "Be left behind",
        steps: [() => say("Goes.", { deltas: 2 })],
        react: (event, person) => {
          if (event.type !== "run_end") return;
          const body = { beforeRunId: person.runId };
          // 409 until the run that has just ended is handed over.
          person.ask({ of: "thread", path: "/fork", body, statuses: [200] }, (answer) => {
            branch = Fork.parse(answer.body).threadId;
          });
        },
      },
    ],
    mayEnd: ["completed"],
    problems: async ([first], around) => {
      const { runs } = await around.site.read(Runs, `/_framework/threads/${branch}/runs`);
      const listed = runs.map(({ runId, inherited }) => `${runId} ${inherited}`).join();
      const told = await toldIn(branch, id, around);
      const wanted = [first?.key, `${id}-branch`].join();
      return [
        ...(listed === `${first?.runId} true` ? [] : [`the branch lists ${listed}`]),
        ...(told === wanted ? [] : [`the branch was told ${told}, not ${wanted}`]),
      ];
    },
  };
};

/** A turn in a branch, and the turns that its model was told of. */
const toldIn = async (threadId: string, id: string, { site, model, signal }: Surroundings): Promise<string> => {
  const play = model.add(`${id}-branch`, "And here?", []);
  const { events } = await site.startTurn(threadId, play.prompt);
  const recording = new Recording();
  await follow(site.url + events, recording, signal, () => undefined);
  const messages = play.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) => keysIn(userText(message))).join();
};
