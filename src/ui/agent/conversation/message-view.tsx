/** What the model said. */
import type { MessageItem } from "../transcript-item.ts";
import { useMarkdown } from "./use-markdown.ts";

/** Thinking folded, then the text. Nothing for a message that only called tools. */
export const MessageView = ({ item: { text, thinking, isOpen } }: { readonly item: MessageItem }) => {
  const Markdown = useMarkdown();
  if (text === "" && thinking === "") return null;
  return (
    <div class="say">
      {thinking !== "" && (
        <details class="thinking">
          <summary>{isOpen && text === "" ? "Thinking…" : "Thought"}</summary>
          <div>{thinking}</div>
        </details>
      )}
      {text !== "" && (Markdown ? <Markdown text={text} isOpen={isOpen} /> : <p class="plain">{text}</p>)}
    </div>
  );
};
