/** The entries of a menu, over the native popover: it closes by itself and stands above everything. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

type MenuListProps = {
  /** What the button names in its `popovertarget`. */
  readonly id: string;
  /** The button that has opened it. */
  readonly opener: () => HTMLElement | null | undefined;
  /** Buttons and links, one for each entry. On the page only while the menu is open; they may load then. */
  readonly children: ComponentChildren;
};

/** Distance from the button and from the edge of the window, in px. */
const GAP = 6;

/** Closes whichever menu is open: one at a time is. */
export const closeMenu = (): void => document.querySelector<HTMLElement>(".menu:popover-open")?.hidePopover();

/** Arrows move between entries; Escape and picking one close it and give the focus back. */
export const MenuList = ({ id, opener, children }: MenuListProps) => {
  const menu = useRef<HTMLDivElement>(null);
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
    const isShown = event.newState === "open";
    opener()?.setAttribute("aria-expanded", String(isShown));
    setOpen(isShown);
  };
  const latest = useRef(opener);
  latest.current = opener;
  useEffect(() => {
    const { current } = menu;
    if (!current) return undefined;
    // It opens without a size, and gets one with its entries.
    const observer = new ResizeObserver(() => {
      const button = latest.current();
      if (!button || !current.matches(":popover-open")) return;
      place(current, button);
      if (!current.contains(document.activeElement)) current.querySelector<HTMLElement>("a, button")?.focus();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a group of buttons; keys and clicks are passed on to them.
    <div
      ref={menu}
      id={id}
      popover="auto"
      class="menu"
      onBeforeToggle={(event) => event.newState === "open" && setOpen(true)}
      // Entries stay until it is closed: the browser gives the focus back only from what is still there.
      onToggle={onToggle}
      onKeyDown={move}
      // Before the entry's own click, which may open a dialog: that one notes what has the focus.
      onClickCapture={() => menu.current?.hidePopover()}
    >
      {isOpen && children}
    </div>
  );
};

/** Below the button, its end edge under the button's; above it where there is no room below. */
const place = (menu: HTMLElement, button: HTMLElement): void => {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + GAP + height <= window.innerHeight;
  const left = Math.min(Math.max(at.right - width, GAP), window.innerWidth - width - GAP);
  menu.style.left = `${Math.max(left, GAP)}px`;
  menu.style.top = `${below ? at.bottom + GAP : Math.max(at.top - GAP - height, GAP)}px`;
};
