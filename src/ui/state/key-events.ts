/** Whether a key belongs to an input method. 229: before version 27, Safari ends a composition and only then reports the Enter that ended it. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/** Whether a key may be part of a browser's own command, such as Alt with an arrow for Back. */
export const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => altKey || ctrlKey || metaKey;
