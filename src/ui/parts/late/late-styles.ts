/** Styles of parts that load late: they come with the part, and are no part of what the first paint waits for. */

const adopted = new Map<string, CSSStyleSheet>();

/** Adds rules to the page, once. Call it where the part is rendered. */
export const adoptStyles = (rules: string): void => {
  if (adopted.has(rules)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  adopted.set(rules, sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
