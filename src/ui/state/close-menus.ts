/**
 * Closes an open menu when somebody presses beside it. Browsers do so themselves, but Safari on phones only from 18.3:
 * https://bugs.webkit.org/show_bug.cgi?id=267688. Importing this module starts it.
 */
const onPress = ({ target }: PointerEvent): void => {
  const menu = document.querySelector<HTMLElement>(".menu:popover-open");
  // The button of a menu closes it by its own press.
  if (menu && target instanceof Element && !target.closest(".menu, [popovertarget]")) menu.hidePopover();
};

addEventListener("pointerdown", onPress, true);
