import { useStore } from "../state/store.ts";
import { Dialog } from "./dialog.tsx";
import keyStyles from "./help-dialog.css";
import { adoptStyles } from "./late-styles.ts";
import { SHORTCUTS_KEY, shortcutsOn } from "./use-shortcuts.ts";

type KeyGroup = readonly [title: string, keys: readonly (readonly [keys: string, what: string])[]];

/** Single characters, which the switch turns off. A space separates keys that are pressed one after the other. */
const LETTERS: readonly KeyGroup[] = [
  [
    "Anywhere",
    [
      ["g s", "Go to stocks"],
      ["g c", "Go to chat"],
    ],
  ],
  [
    "In the list",
    [
      ["/", "Search"],
      ["n", "Add a stock"],
      ["j", "Next row"],
      ["k", "Previous row"],
      ["e", "Edit the row's stock"],
      ["w", "Watch it, or stop watching"],
      ["x", "Select it"],
      ["z", "Undo the last change, while its message is shown"],
      ["?", "Show these keys"],
    ],
  ],
];

/** Keys that always work. */
const ALWAYS: readonly KeyGroup[] = [
  ["Anywhere (always on)", [["Ctrl K", "Find a stock, a chat or a command"]]],
  [
    "In a row (always on)",
    [
      ["↑ ↓", "Move between rows"],
      ["Enter", "Open the stock"],
      ["Delete", "Delete the stock"],
      ["Esc", "Close what is open, or clear the search"],
    ],
  ],
  [
    "In the message to the agent (always on)",
    [
      ["Enter", "Send it, or queue it while the agent works"],
      ["Ctrl Enter", "Send it to the agent after its current step"],
    ],
  ],
  [
    "When the agent asks (always on)",
    [
      ["Ctrl Enter", "Allow it, once you have seen all of it"],
      ["Ctrl Backspace", "Reject it"],
    ],
  ],
];

const setShortcuts = (isOn: boolean): void => {
  shortcutsOn.set(isOn);
  localStorage.setItem(SHORTCUTS_KEY, isOn ? "on" : "off");
};

/** The keyboard shortcuts, and the switch that turns single keys off (WCAG 2.1.4). */
export const HelpDialog = ({ onClose }: { readonly onClose: () => void }) => {
  adoptStyles(keyStyles);
  const isOn = useStore(shortcutsOn);
  return (
    <Dialog title="Keyboard shortcuts" size="narrow" onClose={onClose}>
      <label class="check">
        <input type="checkbox" role="switch" checked={isOn} aria-checked={isOn} onChange={() => setShortcuts(!isOn)} />
        Single-key shortcuts
      </label>
      {(isOn ? [...LETTERS, ...ALWAYS] : ALWAYS).map(([title, keys]) => (
        <section key={title} class="keys">
          <h3>{title}</h3>
          <dl>
            {keys.map(([sequence, what]) => (
              <div key={sequence} class="key">
                <dt>
                  {sequence.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd class="what">{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
};
