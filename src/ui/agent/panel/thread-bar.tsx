/** The bar above a conversation: the thread's name and what can be done with it. */
import { IconHistory, IconPlus } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import { ThreadMenu } from "./thread-menu.tsx";

type ThreadBarProps = {
  readonly threadId: string;
  readonly title: string;
  /** Shown before the thread's name where the name alone would be unclear. */
  readonly heading?: string;
  /** The thread has no messages, so it is what "New chat" would show. */
  readonly isNew: boolean;
  /** The list has the thread, so there is something to rename or delete. */
  readonly isKnown: boolean;
  readonly onNew: () => void;
  /** As for `ThreadMenu`. */
  readonly onDeleted: (threadId: string) => void;
  readonly isListOpen?: boolean;
  /** Opens or closes the list where it is not always visible. */
  readonly onList?: () => void;
  /** More buttons at the end. */
  readonly children?: ComponentChildren;
};

export const ThreadBar = (props: ThreadBarProps) => {
  const { threadId, title, isNew, isKnown, onNew, onDeleted, isListOpen, onList, heading, children } = props;
  return (
    <div class="thread-bar">
      <h2>
        {heading && <span class="heading">{heading}</span>}
        <span class={heading ? "thread-title badge" : "thread-title"} dir="auto" title={title}>
          {isListOpen ? "Chats" : title}
        </span>
      </h2>
      {/* Buttons that appear later are placed before those that stay, so that nothing slides under a pointer. */}
      {/* The key makes an open dialog close with its chat: the browser's Back shows another chat in the same place. */}
      {isKnown && <ThreadMenu key={threadId} threadId={threadId} title={title} onDeleted={onDeleted} />}
      {!isNew && <Button tone="ghost" icon={IconPlus} label="New chat" onClick={onNew} />}
      {onList && <Button tone="ghost" icon={IconHistory} label="Chats" aria-expanded={isListOpen} onClick={onList} />}
      {children}
    </div>
  );
};
