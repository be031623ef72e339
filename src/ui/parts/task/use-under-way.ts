import { useRef, useState } from "preact/hooks";

/** Runs tasks side by side: a press on one button is not lost while another's is under way. */
export type UnderWay = {
  /** Whether the task `name` is under way, for its button. */
  readonly has: (name: string) => boolean;
  /** Runs `work`, which does not throw. Returns what it resolves to, or undefined if `name` is under way already. */
  readonly run: <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>;
};

/** Tracks the tasks of a list by name, such as a row's id. Different names run side by side; a second task of a name is ignored. */
export const useUnderWay = (): UnderWay => {
  /** Set at once; the state only changes with the next render. */
  const names = useRef<ReadonlySet<string>>(new Set());
  const [shown, show] = useState(names.current);
  const set = (next: ReadonlySet<string>): void => {
    names.current = next;
    show(next);
  };
  return {
    has: (name) => shown.has(name),
    run: async (name, work) => {
      if (names.current.has(name)) return undefined;
      set(new Set([...names.current, name]));
      try {
        return await work();
      } finally {
        set(new Set([...names.current].filter((other) => other !== name)));
      }
    },
  };
};
