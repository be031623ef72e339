/** Whether something new in a conversation may take the focus. */

/** Only from its own conversation, and never from somebody in the middle of a sentence. */
export const takesFocus = (element: HTMLElement | null): boolean => {
  const active = document.activeElement;
  const conversation = element?.closest(".conversation");
  if (!conversation || !active || !conversation.contains(active)) return false;
  return !(active instanceof HTMLTextAreaElement && active.value !== "");
};
