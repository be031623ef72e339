/** A button with a menu below it, over the native popover: it closes by itself and stands above everything. */
import type { Icon } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";

type MenuProps = {
  readonly label: string;
  readonly icon?: Icon;
  readonly class?: string;
  /** What the button shows beside its icon. */
  readonly face?: ComponentChildren;
  /** Of the button. */
  readonly tabIndex?: number;
  /** Buttons and links, one for each entry. On the page only while the menu is open: a list has a menu in each row.
   * They may come later than the menu opens. */
  readonly children: ComponentChildren;
};

/** Distance from the button and from the edge of the window, in px. */
const GAP = 6;

/** Opens by click or Enter; arrows move between entries, Escape closes and gives the focus back. */
export const Menu = ({ label, icon, face, children, tabIndex, class: extra }: MenuProps) => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const entries = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  const move = (event: KeyboardEvent): void => {
    const all = entries();
    const at = all.findIndex((entry) => entry.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  const onToggle = (event: { readonly newState: string }): void => {
    button.current?.querySelector("button")?.setAttribute("aria-expanded", String(event.newState === "open"));
  };
  useEffect(() => {
    if (!isOpen || !menu.current) return undefined;
    // Calls once the menu shows, and again when entries come that had to be loaded.
    const observer = new ResizeObserver(() => {
      place(menu.current, button.current);
      if (!menu.current?.contains(document.activeElement)) entries()[0]?.focus();
    });
    observer.observe(menu.current);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <div class="menu-holder" ref={button}>
      <Button
        tone="ghost"
        icon={icon}
        {...(face ? { "aria-label": label } : { label })}
        class={extra}
        {...(tabIndex === undefined ? {} : { tabIndex })}
        popovertarget={id}
        aria-expanded="false"
        aria-haspopup="true"
      >
        {face}
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a group of buttons; keys and clicks are passed on to them. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        onBeforeToggle={(event) => setOpen(event.newState === "open")}
        onToggle={onToggle}
        onKeyDown={move}
        onClick={() => menu.current?.hidePopover()}
      >
        {isOpen && children}
      </div>
    </div>
  );
};

/** Below the button, its end edge under the button's; above it where there is no room below. */
const place = (menu: HTMLElement | null, button: HTMLElement | null): void => {
  if (!menu || !button) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + GAP + height <= window.innerHeight;
  const left = Math.min(Math.max(at.right - width, GAP), window.innerWidth - width - GAP);
  menu.style.left = `${Math.max(left, GAP)}px`;
  menu.style.top = `${below ? at.bottom + GAP : Math.max(at.top - GAP - height, GAP)}px`;
};
