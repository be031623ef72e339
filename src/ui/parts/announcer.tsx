/** Says things to those who hear the page, without showing them. */
import { createStore } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";

const said = createStore<{ readonly text: string; readonly count: number }>({ text: "", count: 0 });

/** Says `text` once, after what is being said now. */
export const announce = (text: string): void => said.set({ text, count: said.get().count + 1 });

/** The live region; once in the app. The key makes the same words count as news. */
export const Announcer = () => {
  const { text, count } = useStore(said);
  return (
    <div class="vh" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
};
