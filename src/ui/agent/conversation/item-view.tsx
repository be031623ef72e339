import { IconArrowBackUp, IconFileText, IconFolder, IconListCheck } from "@tabler/icons-preact";
import { useMemo, useState } from "preact/hooks";
import { cutText } from "../../../contract/plain-text.ts";
import { LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { CallView } from "../guidance/call-view.tsx";
import { ForeignText } from "../permission/foreign-text.tsx";
import { PermissionCard, PermissionOutcome } from "../permission/permission-card.tsx";
import { budgetOutcomeWords } from "../permission/permission-subject.tsx";
import type { BudgetItem, ContextItem, MessageItem, TranscriptItem, UserItem } from "../stream/transcript-item.ts";
import { explainProblem } from "./explain-problem.ts";
import { RetryBanner, SummaryView } from "./item-banners.tsx";
import { OwnMessageActions } from "./lead/own-message-actions.tsx";
import { SteerView } from "./lead/steer-view.tsx";
import { readWholePrompt } from "./run/run-requests.ts";
import { useMarkdown } from "./use-markdown.ts";

type BudgetViewProps = { readonly item: BudgetItem; readonly runId: string; readonly isLive: boolean };

/** Asks whether a run that has spent its budget may spend more, or says what the person decided. */
const BudgetView = ({ item, runId, isLive }: BudgetViewProps) => {
  const { permission } = item;
  const { reply } = permission;
  if (reply === undefined) return <PermissionCard permission={permission} runId={runId} isLive={isLive} />;
  return <PermissionOutcome reply={reply} words={budgetOutcomeWords(reply.decision, item, LOCALE)} />;
};

/** Names what the model was told besides the messages. The text itself is in the workspace, or in what was undone. */
const ContextView = ({ item: { source, path } }: { readonly item: ContextItem }) => {
  const ContextIcon = CONTEXT_ICONS[source];
  return (
    <p class="context">
      <ContextIcon size={16} stroke={1.75} aria-hidden="true" />
      <span>{source === "instructions" ? <Instructions path={path} /> : CONTEXT_WORDS[source]}</span>
    </p>
  );
};

const CONTEXT_ICONS = {
  instructions: IconFileText,
  workspace: IconFolder,
  undo: IconArrowBackUp,
  plan: IconListCheck,
} as const;

const CONTEXT_WORDS = {
  workspace: "Now works in another directory",
  undo: "Knows what you undid",
  plan: "Plans first: changes nothing until you accept a plan",
} as const;

const Instructions = ({ path }: Pick<ContextItem, "path">) =>
  path === undefined ? (
    <>Read this chat's instructions</>
  ) : (
    <>
      Read{" "}
      <code>
        <ForeignText text={path} isCode />
      </code>{" "}
      for this chat's instructions
    </>
  );

/** Folded thinking, then the text. Shows nothing for a message that only called tools. */
const MessageView = ({ item: { text, thinking, isOpen } }: { readonly item: MessageItem }) => {
  const Markdown = useMarkdown()?.default;
  if (text === "" && thinking === "") return null;
  return (
    <div class="say">
      {thinking !== "" && <Thoughts text={thinking} isOpen={isOpen && text === ""} />}
      {text !== "" && (Markdown ? <Markdown text={text} isOpen={isOpen} /> : <p class="plain">{text}</p>)}
    </div>
  );
};

/** Folded, and rendered only while unfolded. `isOpen`: more may follow. */
const Thoughts = ({ text, isOpen }: Pick<MessageItem, "text" | "isOpen">) => {
  const Markdown = useMarkdown()?.default;
  const [isShown, setShown] = useState(false);
  return (
    <details class="thinking" onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{isOpen ? "Thoughts so far" : "Thought"}</summary>
      {isShown && <div>{Markdown ? <Markdown text={text} isOpen={isOpen} /> : <p class="plain">{text}</p>}</div>}
    </details>
  );
};

/** Prompts longer than this, in UTF-16 units, are folded: the person wrote them and knows them. */
const FOLD_LENGTH = 600;

const UserMessage = ({ item, runId }: { readonly item: UserItem; readonly runId: string }) => {
  const [whole, setWhole] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isLong = item.isTruncated || item.text.length > FOLD_LENGTH;
  const text = isOpen ? (whole ?? item.text) : cutText(item.text, FOLD_LENGTH);
  const toggle = async (): Promise<void> => {
    setProblem(undefined);
    try {
      if (!isOpen && item.isTruncated && whole === undefined) setWhole(await readWholePrompt(runId));
      setOpen(!isOpen);
    } catch (error) {
      setProblem(explainProblem(error));
    }
  };
  return (
    <div class="me">
      <span class="vh">You: </span>
      <p>
        {text}
        {isLong && !isOpen && "…"}
      </p>
      {isLong && (
        <Button isSmall tone="ghost" aria-expanded={isOpen} onClick={() => void toggle()}>
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
};

type ItemViewProps = {
  readonly item: TranscriptItem;
  readonly runId: string;
  readonly isLive: boolean;
  /** The person can go back to before this run. */
  readonly canGoBack: boolean;
  /** The run waits for the person, and the item says so. */
  readonly isAsking: boolean;
};

/** Renders again only when one of its props changes: a delta touches one item of thousands. */
export const ItemView = ({ item, runId, isLive, canGoBack, isAsking }: ItemViewProps) =>
  useMemo(() => {
    switch (item.type) {
      case "user":
        return (
          <>
            <UserMessage item={item} runId={runId} />
            {canGoBack && <OwnMessageActions {...{ item, runId }} />}
          </>
        );
      case "steer":
        return <SteerView item={item} isAsking={isAsking} />;
      case "context":
        return <ContextView item={item} />;
      case "summary":
        return <SummaryView item={item} />;
      case "reset":
        return (
          <p class="inline-banner">
            Started fresh: {item.reason} You still see earlier messages here, but the model gets them as plain text or
            not at all.
          </p>
        );
      case "message":
        return <MessageView item={item} />;
      case "tool":
        return <CallView item={item} runId={runId} isLive={isLive} />;
      case "budget":
        return <BudgetView item={item} runId={runId} isLive={isLive} />;
      case "retry":
        return <RetryBanner item={item} />;
      case "restart":
        return <p class="inline-banner">The server restarted. The agent picked up where it left off.</p>;
      case "workspace":
        return (
          <p class="inline-banner warn">
            The agent now works in <ForeignText text={item.to} isCode /> instead of{" "}
            <ForeignText text={item.from} isCode />.
          </p>
        );
    }
  }, [item, runId, isLive, canGoBack, isAsking]);
