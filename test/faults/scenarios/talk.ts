/** Turns that only speak: long, thinking, in many pieces, and with a provider that stumbles. */
import { message, say } from "../../support/model-script.ts";
import { cutMidEvent, fail, malformed } from "../../support/model-troubles.ts";
import type { Scenario } from "./scenario.ts";

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

/** Slow words, as a model speaks. */
export const speech: Scenario = (_, random) => {
  const deltas = random.int(10, 80);
  return {
    name: "speech",
    turns: [{ text: "Speak", steps: [() => say(words(deltas * 2), { deltas, delayMs: random.int(5, 25) })] }],
    mayEnd: ["completed"],
  };
};

/** As many words as go in a burst, far more than the merged frames hold. */
export const burst: Scenario = () => ({
  name: "burst",
  turns: [{ text: "Much", steps: [() => say(words(20_000), { deltas: 3_000 })] }],
  mayEnd: ["completed"],
});

/** Thinks first, and asks for a read in between. */
export const thought: Scenario = (id) => ({
  name: "thought",
  turns: [
    {
      text: "Think",
      steps: [
        () =>
          message([
            { type: "thinking", thinking: words(30) },
            { type: "text", text: "I look. ", deltas: 2, delayMs: 20 },
            { type: "tool_use", id: `toolu_${id}`, name: "list-stocks", input: {} },
          ]),
        () =>
          message([
            { type: "thinking", thinking: words(30) },
            { type: "text", text: words(40), deltas: 20, delayMs: 10 },
          ]),
      ],
    },
  ],
  mayEnd: ["completed"],
});

/** A provider that breaks off or sends rubbish, then is overloaded, and then answers. */
export const stumbling: Scenario = (_, random) => {
  const broken = random.pick([() => cutMidEvent("Half of"), () => malformed("Another half")]);
  return {
    name: "stumbling",
    turns: [
      {
        text: "Stumble",
        steps: [
          (asked) => {
            // First what comes without a time to wait: that is a second after the first try, and half a minute after the third.
            if (asked === 1) return broken();
            if (asked > 3) return say(words(40), { deltas: 20, delayMs: 10 });
            return fail(529, "overloaded_error", "Overloaded", { headers: { "retry-after-ms": "200" } });
          },
        ],
      },
    ],
    mayEnd: ["completed"],
  };
};
