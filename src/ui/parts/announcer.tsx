/** Says things to those who hear the page, without showing them. */
import { createStore } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";

const said = createStore<{ readonly text: string; readonly count: number }>({ text: "", count: 0 });

/** What is said in the same moment: one text in the place of another would be lost unheard. */
let waiting: string[] = [];

/** Says `text` once, after what is being said now. */
export const announce = (text: string): void => {
  waiting.push(text);
  if (waiting.length > 1) return;
  queueMicrotask(() => {
    said.set({ text: waiting.join(" "), count: said.get().count + 1 });
    waiting = [];
  });
};

/** The live region; once in the app. The key makes the same words count as news. */
export const Announcer = () => {
  const { text, count } = useStore(said);
  return (
    <div class="vh" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
};
