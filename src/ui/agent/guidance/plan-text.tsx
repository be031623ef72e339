import { useMemo } from "preact/hooks";
import { useMarkdown } from "../conversation/use-markdown.ts";
import { ForeignText, shownText } from "../permission/foreign-text.tsx";

/**
 * A plan, rendered like the agent's answers with invisible characters spelled out, and below it the original text, word for word. Only the
 * original text is shown until the code that renders is loaded, and if markdown would hide something: later, the agent goes by all of it.
 */
export const PlanText = ({ markdown }: { readonly markdown: string }) => {
  const code = useMarkdown();
  const text = useMemo(() => shownText(markdown), [markdown]);
  const isAllShown = useMemo(() => code?.showsAll(text) ?? false, [code, text]);
  if (!code || !isAllShown) return <Written markdown={markdown} />;
  const Markdown = code.default;
  return (
    <>
      <Markdown text={text} isOpen={false} />
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
