/** Styles of parts that load late. They come with the part, so the first paint does not wait for them. */

const adopted = new Map<string, CSSStyleSheet>();

/**
 * Adds rules to the page, once. Call it where the part is rendered. A stylesheet beside the component is imported for it:
 * `import rules from "./late/part.css"`.
 */
export const adoptStyles = (...sheets: readonly string[]): void => {
  for (const rules of sheets) {
    if (adopted.has(rules)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    adopted.set(rules, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
};
