/** Renders markdown blocks: headings below the page's own, code and tables in boxes that scroll. */
import type { MarkedToken, Token, Tokens } from "marked";
import type { ComponentChild, ComponentChildren } from "preact";
import { colouredCode, colouredPatch } from "./coloured-code.tsx";
import { isMarkedToken, MAX_DEPTH, renderCheckbox, renderInline } from "./render-inline.tsx";

/**
 * One block. `sections` is how many headings it is under, itself not counted, and `depth` its nesting; a kind that is not
 * shown (a definition, space) gives null.
 */
export const renderBlock = (token: Token, sections: number, depth = 0): ComponentChild => {
  if (!isMarkedToken(token) || depth > MAX_DEPTH) return <p>{token.raw}</p>;
  return renderKnown(token, sections, depth);
};

const renderKnown = (token: MarkedToken, sections: number, depth: number): ComponentChild => {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p>{renderInline(token.tokens, depth)}</p>;
    case "heading":
      return renderHeading(token, sections, depth);
    case "code":
      return renderCode(token);
    case "list":
      return renderList(token, sections, depth);
    case "blockquote":
      return <blockquote dir="auto">{renderBlocks(token.tokens, sections, depth + 1)}</blockquote>;
    case "table":
      return renderTable(token, depth);
    case "hr":
      return <hr />;
    case "html":
      return <pre class="markdown-html">{token.text.trimEnd()}</pre>;
    case "checkbox":
      return renderCheckbox(token);
    default:
      // A tight list item's text, and any other inline token.
      return renderInline([token], depth);
  }
};

const renderBlocks = (tokens: readonly Token[], sections: number, depth: number): ComponentChildren =>
  tokens.map((token) => renderBlock(token, sections, depth));

/** The page's title is h1 and the panel's h2, so a message begins at h3, however many signs its first heading has. */
const renderHeading = ({ tokens }: Tokens.Heading, sections: number, depth: number): ComponentChild => {
  const Level = LEVELS[sections] ?? "h6";
  return <Level>{renderInline(tokens, depth)}</Level>;
};

const LEVELS = ["h3", "h4", "h5"] as const;

const renderCode = ({ text, lang }: Tokens.Code): ComponentChild => {
  const language = lang?.match(/^\S+/)?.[0];
  return (
    <figure class="markdown-code">
      <figcaption>{language ?? "Text"}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <pre tabIndex={0}>
        <code>{/^(?:diff|patch)$/i.test(language ?? "") ? colouredPatch(text) : colouredCode(text, language)}</code>
      </pre>
    </figure>
  );
};

const renderList = ({ ordered, start, items }: Tokens.List, sections: number, depth: number): ComponentChild => {
  const children = items.map((item) => (
    <li class={item.task ? "markdown-task" : undefined}>{renderBlocks(item.tokens, sections, depth + 1)}</li>
  ));
  if (!ordered) return <ul dir="auto">{children}</ul>;
  return (
    <ol dir="auto" start={typeof start === "number" && start !== 1 ? start : undefined}>
      {children}
    </ol>
  );
};

const renderTable = ({ header, rows }: Tokens.Table, depth: number): ComponentChild => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1).
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
  <div class="markdown-table" role="group" aria-label="Table" tabIndex={0}>
    <table dir="auto">
      <thead>
        <tr>
          {header.map((cell) => (
            <th scope="col" class={alignment(cell)}>
              {renderInline(cell.tokens, depth)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td class={alignment(cell)}>{renderInline(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A class, because the page's policy allows no inline style. */
const alignment = ({ align, text }: Tokens.TableCell): string | undefined =>
  [
    align === "right" || align === "center" ? `markdown-${align}` : undefined,
    FIGURE.test(text.trim()) ? "markdown-figure" : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ") || undefined;

/** A number with what belongs to it, `+20.12 %`, `$1,250.50`, `12.4 k USD`: broken over lines it cannot be read. */
const FIGURE =
  /^[*_]*[-+−–~≈<>≤≥]*\s?(?:\p{Sc}|[A-Z]{3})?\s?[-+−]?\d[\d.,'’\s]*(?:[%kKMBmb]|bn)?\s?(?:\p{Sc}|[A-Z]{3}|%)?[*_]*$/u;
