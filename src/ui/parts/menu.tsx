/** A button with a menu below it. */
import type { Icon } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { MenuList } from "./menu-list.tsx";
import { useOwnId } from "./use-own-id.ts";

type MenuProps = {
  readonly label: string;
  readonly icon?: Icon;
  readonly class?: string;
  /** What the button shows beside its icon. */
  readonly face?: ComponentChildren;
  /** Of the button. */
  readonly tabIndex?: number;
  /** Buttons and links, one for each entry; they may load once the menu is open. */
  readonly children: ComponentChildren;
};

/** Opens by click or Enter; arrows move between entries, Escape closes and gives the focus back. */
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
        {...(tabIndex === undefined ? {} : { tabIndex })}
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
