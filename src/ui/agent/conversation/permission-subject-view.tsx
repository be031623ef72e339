/** Exactly what would happen, in the form that fits it. */
import type { PermissionSubject } from "../../../contract/permission.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { shownText } from "../permission/text-parts.ts";
import { ActionChanges } from "./action-changes.tsx";
import { budgetWords } from "./budget-words.ts";
import { DiffView } from "./diff-view.tsx";
import { MonoBox } from "./mono-box.tsx";

/** A diff, a command with its directory, fields, or what was spent. */
export const PermissionSubjectView = ({ subject }: { readonly subject: PermissionSubject }) => {
  switch (subject.type) {
    case "command":
      return (
        <>
          <MonoBox label="Command" text={subject.command} />
          <p class="hint">
            In{" "}
            {subject.dir === "." ? (
              "the workspace"
            ) : (
              <code>
                <ForeignText text={subject.dir} isCode />
              </code>
            )}
          </p>
        </>
      );
    case "edit":
      return (
        <>
          <p class="path">
            <code>
              <ForeignText text={subject.path} isCode />
            </code>
          </p>
          <DiffView diff={subject.diff} label={`Changes of ${shownText(subject.path)}`} />
        </>
      );
    case "action":
      return <ActionChanges name={subject.name} input={subject.input} before={subject.before} />;
    case "budget":
      return <p>{budgetWords(subject, navigator.language)}</p>;
  }
};
