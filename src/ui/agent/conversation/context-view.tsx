/** What the model was told besides the messages: one quiet line. */
import { IconFileText, IconFolder } from "@tabler/icons-preact";
import { ForeignText } from "../permission/foreign-text.tsx";
import type { ContextItem } from "../transcript-item.ts";

/** Says what of, never the text itself: that is in the workspace. */
export const ContextView = ({ item: { source, path } }: { readonly item: ContextItem }) => {
  const ContextIcon = source === "workspace" ? IconFolder : IconFileText;
  return (
    <p class="context">
      <ContextIcon size={16} stroke={1.75} aria-hidden="true" />
      <span>{source === "workspace" ? "Works in another directory now" : <Instructions path={path} />}</span>
    </p>
  );
};

const Instructions = ({ path }: Pick<ContextItem, "path">) =>
  path === undefined ? (
    <>Read this chat’s instructions</>
  ) : (
    <>
      Read{" "}
      <code>
        <ForeignText text={path} isCode />
      </code>{" "}
      for this chat’s instructions
    </>
  );
