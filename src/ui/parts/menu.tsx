/** A button with a menu, over the native popover, which closes by itself and is above everything else. */
import type { Icon } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { useOwnId } from "./use-own-id.ts";

type MenuListProps = {
  /** The value of the button's `popovertarget`. */
  readonly id: string;
  /** The button that opened it. */
  readonly opener: () => HTMLElement | null | undefined;
  /** Buttons and links, one per entry. Rendered only while the menu is open; their code may load then. */
  readonly children: ComponentChildren;
};

/** Distance from the button and from the edge of the window, in px. */
const GAP = 6;

/** Closes the open menu, if any. Only one can be open at a time. */
export const closeMenu = (): void => document.querySelector<HTMLElement>(".menu:popover-open")?.hidePopover();

/** Arrow keys move between entries. Escape, or picking one, closes the menu and gives the focus back. */
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
    // It opens without a size, and gets one once its entries have loaded.
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
      // Entries stay until it has closed: the browser gives the focus back only while the focused entry exists.
      onToggle={onToggle}
      onKeyDown={move}
      // Closes before the entry's own click, which may open a dialog that remembers the focused element.
      onClickCapture={() => menu.current?.hidePopover()}
    >
      {isOpen && children}
    </div>
  );
};

/** Below the button, with their right edges aligned; above it where there is no room below. */
const place = (menu: HTMLElement, button: HTMLElement): void => {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + GAP + height <= innerHeight;
  menu.style.left = `${Math.max(Math.min(at.right, innerWidth - GAP) - width, GAP)}px`;
  menu.style.top = `${below ? at.bottom + GAP : Math.max(at.top - GAP - height, GAP)}px`;
};

type MenuProps = {
  readonly label: string;
  readonly icon?: Icon;
  readonly class?: string;
  /** Shown on the button beside its icon. */
  readonly face?: ComponentChildren;
  /** The tab index of the button. */
  readonly tabIndex?: number;
  /** As in `MenuList`. */
  readonly children: ComponentChildren;
};

export const Menu = ({ label, icon, face, children, tabIndex, class: extra }: MenuProps) => {
  const id = useOwnId();
  const holder = useRef<HTMLDivElement>(null);
  return (
    <div class="menu-holder" ref={holder}>
      <Button
        tone="ghost"
        icon={icon}
        {...(face ? { "aria-label": label } : { label })}
        class={extra}
        tabIndex={tabIndex}
        popovertarget={id}
        aria-expanded="false"
        aria-haspopup="true"
      >
        {face}
      </Button>
      <MenuList id={id} opener={() => holder.current?.querySelector("button")}>
        {children}
      </MenuList>
    </div>
  );
};
