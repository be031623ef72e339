/** The command palette: stocks, chats, actions and settings by their names. All it does can also be done at a visible place elsewhere. */
import { useInfiniteQuery } from "@tanstack/preact-query";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { chatPath } from "../../../contract/app-paths.ts";
import { accountOpen } from "../../account/settings/account-open.ts";
import { THREADS_QUERY } from "../../agent/panel/list-threads.ts";
import { placeUrl, START_PLACE, type StocksPlace } from "../../navigation/stocks-place.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { useOwnId } from "../../parts/use-own-id.ts";
import { isComposing } from "../../state/key-events.ts";
import { chooseTheme } from "../../state/theme.ts";
import { useStockList } from "../../stocks/store/use-stock-list.ts";
import { isHelpOpen } from "../keys-help.tsx";
import { type Command, findCommands } from "./commands.ts";
import styles from "./palette.css";

/** The commands that do not depend on what the person has. */
const useFixedCommands = (): { readonly actions: readonly Command[]; readonly settings: readonly Command[] } => {
  const { route } = useLocation();
  return useMemo(() => {
    const list = (id: string, label: string, place: Partial<StocksPlace>, about?: string): Command => ({
      ...{ id, label, about },
      run: () => route(placeUrl({ ...START_PLACE, ...place })),
    });
    return {
      actions: [
        { ...list("add", "Add a stock", { dialog: "add" }), words: "new" },
        { id: "chat", label: "New chat", about: "ask the agent", run: () => route("/") },
        list("import", "Import stocks", { dialog: "import" }, "file, CSV, paste"),
        list("stocks", "Go to stocks", {}, "all"),
        list("watchlist", "Go to the watchlist", { tab: "watchlist" }),
        list("holdings", "Go to holdings", { tab: "holdings" }),
        list("targets", "Show reached targets", { targetHit: true }),
        list("trash", "Open the trash", { isTrash: true }, "deleted"),
      ],
      settings: [
        { id: "account", label: "Account", about: "settings, prices, notices", run: () => accountOpen.set("account") },
        { id: "schedules", label: "Schedules", run: () => accountOpen.set("schedules") },
        { id: "keys", label: "Keyboard shortcuts", run: () => isHelpOpen.set(true) },
        { id: "system", label: "System theme", about: "colours", run: () => chooseTheme("system") },
        { id: "light", label: "Light theme", about: "colours", run: () => chooseTheme("light") },
        { id: "dark", label: "Dark theme", about: "colours", run: () => chooseTheme("dark") },
      ],
    };
  }, [route]);
};

/** The focus stays in the field: an option is marked there and never focused. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  adoptStyles(styles);
  const { route } = useLocation();
  const { list } = useStockList();
  const threads = useInfiniteQuery(THREADS_QUERY);
  const fixed = useFixedCommands();
  const [typed, setTyped] = useState("");
  const [marked, setMarked] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useOwnId();
  useLayoutEffect(() => field.current?.focus(), []);
  const groups = findCommands(typed, {
    ...fixed,
    stocks: list?.items ?? [],
    threads: threads.data?.pages.flatMap((page) => page.threads) ?? [],
    openStock: (stockId) => route(placeUrl({ ...START_PLACE, dialog: "detail", stockId })),
    openChat: (threadId) => route(chatPath(threadId)),
  });
  const commands = groups.flatMap((group) => group.commands);
  // The mark is on a command, not on a place: what comes in meanwhile is put before it, and Enter must run what was seen.
  const at = Math.max(
    0,
    commands.findIndex((command) => command.id === marked),
  );
  const markedNow = commands[at]?.id;
  useLayoutEffect(() => setMarked(markedNow), [marked, markedNow]);
  useLayoutEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, typed]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // After this dialog has given the focus back, because what opens next remembers what had it.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const last = commands.length - 1;
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1 }[event.key];
    if (next !== undefined) setMarked(commands[next]?.id);
    else if (event.key === "Enter") run(commands[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Quick search" onClose={onClose}>
      <div class="palette">
        <input
          ref={field}
          class="input"
          role="combobox"
          aria-label="Stock, chat, action or setting"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={commands[at] && `${id}-${at}`}
          placeholder="Stock, chat, action or setting"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMarked(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a press keeps the focus in the field, and does nothing else. */}
        <div onMouseDown={(event) => event.preventDefault()}>
          <div ref={box} id={id} class="palette-found" role="listbox" aria-label="Found">
            {groups.map(({ name, commands: found }) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls, not of options.
              <div key={name} role="group" aria-label={name}>
                <p aria-hidden="true">{name}</p>
                {found.map((command) => {
                  const index = commands.indexOf(command);
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
                    // biome-ignore lint/a11y/useFocusableInteractive: as for every combobox, the field keeps the focus.
                    <div
                      key={command.id}
                      id={`${id}-${index}`}
                      role="option"
                      aria-selected={index === at}
                      onClick={() => run(command)}
                    >
                      <span>{command.label}</span>
                      {command.about !== undefined && <small>{command.about}</small>}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
          {commands.length === 0 && <p class="palette-none">Nothing found for “{typed.trim()}”.</p>}
        </div>
        <p class="vh" role="status">
          {commands.length === 1 ? "1 found" : `${commands.length} found`}
        </p>
      </div>
    </Dialog>
  );
};
