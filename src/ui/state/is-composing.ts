/** Whether a key belongs to an input method. 229: until 27, Safari ends a composition before it reports the Enter that ended it. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;
