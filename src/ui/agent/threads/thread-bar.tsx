/** The line above a conversation: which thread it is, and what can be done with it. */
import { IconHistory, IconPlus } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import { ThreadMenu } from "./thread-menu.tsx";

type ThreadBarProps = {
  readonly threadId: string;
  readonly title: string;
  /** Stands before the thread's name, where it is not clear what that is the name of. */
  readonly heading?: string;
  /** It has a first message: a new one has nothing to rename or delete. */
  readonly isKnown: boolean;
  readonly onNew: () => void;
  readonly onDeleted: () => void;
  readonly isListOpen?: boolean;
  /** Shows or hides the list where it has no place of its own. */
  readonly onList?: () => void;
  /** Further buttons at the end. */
  readonly children?: ComponentChildren;
};

/** Its heading is the thread's name. */
export const ThreadBar = (props: ThreadBarProps) => {
  const { threadId, title, isKnown, onNew, onDeleted, isListOpen, onList, heading, children } = props;
  return (
    <div class="thread-bar">
      <h2>
        {heading && <span class="heading">{heading}</span>}
        <span class={heading ? "thread-title badge" : "thread-title"} title={title}>
          {isListOpen ? "Chats" : title}
        </span>
      </h2>
      {onList && <Button tone="ghost" icon={IconHistory} label="Chats" aria-expanded={isListOpen} onClick={onList} />}
      {isKnown && (
        <>
          <Button tone="ghost" icon={IconPlus} label="New chat" onClick={onNew} />
          <ThreadMenu threadId={threadId} title={title} onDeleted={onDeleted} />
        </>
      )}
      {children}
    </div>
  );
};
