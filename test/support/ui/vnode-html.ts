/** Vnodes as HTML text, for tests of what has no state: elements, fragments and text; no components. */
import { type ComponentChildren, Fragment, isValidElement } from "preact";

/** The HTML, attributes in the order of their names, text escaped. Keys don't show. */
export const vnodeHtml = (node: ComponentChildren): string => {
  if (Array.isArray(node)) return node.map((child: ComponentChildren) => vnodeHtml(child)).join("");
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (!isValidElement(node)) return escapeText(String(node));
  const { type, props } = node;
  const { children, ...attributes }: Record<string, unknown> & { children?: ComponentChildren } = props;
  const inner = vnodeHtml(children);
  if (type === Fragment) return inner;
  return `<${String(type)}${Object.entries(attributes).sort(byName).map(attributeText).join("")}>${inner}${closing(type)}`;
};

const VOID: ReadonlySet<unknown> = new Set(["br", "hr", "input"]);

const closing = (type: unknown): string => (VOID.has(type) ? "" : `</${String(type)}>`);

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const attributeText = ([name, value]: [string, unknown]): string => {
  if (value === undefined || value === false) return "";
  return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`;
};

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
