import { useMarkdown } from "../conversation/use-markdown.ts";

/** A plan as the agent's answers are shown: plain until the code for it is here. Below both the card and the outcome. */
export const PlanText = ({ markdown }: { readonly markdown: string }) => {
  const Markdown = useMarkdown();
  return Markdown ? <Markdown text={markdown} isOpen={false} /> : <p class="plain">{markdown}</p>;
};
