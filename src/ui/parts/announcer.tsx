/** Announces things to screen readers without showing them. */
import { createStore, useStore } from "../state/store.ts";

const said = createStore<{ readonly text: string; readonly count: number }>({ text: "", count: 0 });

/** Texts announced at the same moment, to be joined: replacing one would leave it unheard. */
let waiting: string[] = [];

/** Announces `text` once. */
export const announce = (text: string): void => {
  waiting.push(text);
  if (waiting.length > 1) return;
  queueMicrotask(() => {
    // Of several, each is a sentence of its own.
    const text = waiting.map((one) => (waiting[1] && /\w$/.test(one) ? `${one}.` : one)).join(" ");
    said.set({ text, count: said.get().count + 1 });
    waiting = [];
  });
};

/** The live region; rendered once. The key makes repeated words count as new. */
export const Announcer = () => {
  const { text, count } = useStore(said);
  return (
    <div class="vh" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
};
