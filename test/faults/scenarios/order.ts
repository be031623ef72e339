/** Turns that are stopped, that wait for each other, and threads that are deleted under them. */
import { message, say } from "../../support/model-script.ts";
import { callStep } from "./calls.ts";
import { allowOnce, type Scenario } from "./scenario.ts";

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

/** Stopped at the nth event: in a text, in a wait, between two calls. */
export const stopped: Scenario = (id, random) => {
  const at = random.int(2, 24);
  return {
    name: "stopped",
    turns: [
      {
        text: "Be stopped",
        steps: [
          () =>
            message([
              { type: "text", text: words(40), deltas: 20, delayMs: 15 },
              { type: "tool_use", id: `toolu_${id}_read`, name: "list-stocks", input: {} },
              { type: "tool_use", id: `toolu_${id}_add`, name: "add-stock", input: { symbol: `K${id}S` } },
            ]),
          () => say(words(40), { deltas: 20, delayMs: 15 }),
        ],
        react: (event, person) => {
          allowOnce(event, person);
          if (event.seq === at) person.abort();
        },
      },
    ],
    mayEnd: ["completed", "aborted"],
  };
};

/** Four turns at once: each in its order, one after the other; the third may be stopped while it waits. */
export const queue: Scenario = (id, random) => {
  const isThirdStopped = random.chance(0.5);
  const turn = (nth: number) => ({
    text: `Turn ${nth}`,
    steps: [
      callStep(`${id}_${nth}`, 1, [{ name: "list-stocks", input: {} }]),
      () => say(words(20), { deltas: 10, delayMs: 10 }),
    ],
  });
  return {
    name: isThirdStopped ? "queue, third stopped" : "queue",
    turns: [
      turn(1),
      turn(2),
      {
        ...turn(3),
        react: (event, person) => {
          if (isThirdStopped && event.type === "run_queued") person.abort();
        },
      },
      turn(4),
    ],
    mayEnd: isThirdStopped ? ["completed", "aborted"] : ["completed"],
  };
};

/** The thread is deleted in the middle of its turn: afterwards nothing of it is there. */
export const deletion: Scenario = (_, random) => {
  const at = random.int(3, 12);
  return {
    name: "deletion",
    turns: [
      {
        text: "Be deleted",
        steps: [() => say(words(60), { deltas: 30, delayMs: 20 })],
        react: (event, person) => {
          if (event.seq === at) person.deleteThread();
        },
      },
    ],
    mayEnd: ["completed", "aborted"],
    isDeleted: true,
  };
};
