/** Where the model goes on from a summary: a line that unfolds to it. */
import { IconChevronRight } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import type { SummaryItem } from "../transcript-item.ts";
import { formatTokens } from "./format-tokens.ts";
import { useMarkdown } from "./use-markdown.ts";

/** Folded at first. The summary is text of the model, and as little trusted as its answers. */
export const SummaryView = ({ item: { summary, tokensBefore, tokensAfter } }: { readonly item: SummaryItem }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="tool-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <IconChevronRight class="fold" size={18} stroke={1.75} aria-hidden="true" />
        <span class="name">Earlier messages were summarized</span>
        <span class="took">
          {formatTokens(tokensBefore)}
          <span aria-hidden="true"> → </span>
          <span class="vh"> became </span>
          {formatTokens(tokensAfter)} tokens
        </span>
      </summary>
      {isOpen && <SummaryText text={summary} />}
    </details>
  );
};

const SummaryText = ({ text }: { readonly text: string }) => {
  const Markdown = useMarkdown();
  return (
    <div class="tool-body">
      <h3>What the model has in their place</h3>
      {Markdown ? <Markdown text={text} isOpen={false} /> : <p class="plain">{text}</p>}
    </div>
  );
};
