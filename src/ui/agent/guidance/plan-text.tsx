import { useMarkdown } from "../conversation/use-markdown.ts";
import { ForeignText, shownText } from "../permission/foreign-text.tsx";

/**
 * A plan as markdown in which nothing hides that the agent goes by later: characters that cannot be seen are spelled out, and link
 * definitions, which are rendered nowhere, stand as text.
 */
export const unhidden = (markdown: string): string =>
  shownText(markdown).replace(/^([ \t>]*(?:[-*+]|\d+[.)])?[ \t]*)\[(?=[^\]\n]+\]:)/gm, "$1\\[");

/** A plan as the agent's answers are shown, plain until the code for it is here; and as it was written, word for word. */
export const PlanText = ({ markdown }: { readonly markdown: string }) => {
  const Markdown = useMarkdown();
  if (!Markdown) return <Written markdown={markdown} />;
  return (
    <>
      <Markdown text={unhidden(markdown)} isOpen={false} />
      <details class="written">
        <summary>Original text</summary>
        <Written markdown={markdown} />
      </details>
    </>
  );
};

const Written = ({ markdown }: { readonly markdown: string }) => (
  <p class="plain">
    <ForeignText text={markdown} />
  </p>
);
