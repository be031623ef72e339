/** Announces things to screen readers without showing them. */
import { createStore, useStore } from "../state/store.ts";

const said = createStore<{ readonly text: string; readonly count: number }>({ text: "", count: 0 });

/**
 * How long words wait, in ms. A dialog that opens or closes moves the region, and screen readers may miss what is put into it at the same
 * moment.
 */
const PAUSE_MS = 100;

/** Texts announced within the pause, to be joined: replacing one would leave it unheard. */
let waiting: string[] = [];

/** Announces `text` once. */
export const announce = (text: string): void => {
  waiting.push(text);
  if (waiting.length > 1) return;
  setTimeout(() => {
    // Of several, each is a sentence of its own.
    const text = waiting.map((one) => (waiting[1] && /\w$/.test(one) ? `${one}.` : one)).join(" ");
    said.set({ text, count: said.get().count + 1 });
    waiting = [];
  }, PAUSE_MS);
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
