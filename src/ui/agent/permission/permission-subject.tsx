import type { PermissionSubject } from "../../../contract/permission.ts";
import { LOCALE } from "../../format/format-number.ts";
import { formatCost } from "../../format/format-usage.ts";
import { PlanText } from "../guidance/plan-text.tsx";
import type { Budget, PermissionReply } from "../stream/transcript-item.ts";
import { DiffView, MonoBox } from "./diff-view.tsx";
import { type ChangeGroup, describeAction, type FieldChange } from "./field-changes.ts";
import { ForeignText, shownText } from "./foreign-text.tsx";
import { withoutTitle } from "./request-title.ts";

type ActionChangesProps = {
  readonly name: string;
  readonly input: unknown;
  readonly before: unknown;
  /** Shown above it. */
  readonly title: string;
};

/** How many groups, and how many UTF-16 units of them as JSON, fit the box on a phone (16 lines of 25 characters) without scrolling. */
const MAX_SHORT_GROUPS = 3;

const MAX_SHORT_LENGTH = 300;

/** Scrolls when it is long, and can be focused then. */
const ActionChanges = ({ name, input, before, title }: ActionChangesProps) => {
  const groups = withoutTitle(describeAction(name, input, before), title, name, input);
  const isLong = groups.length > MAX_SHORT_GROUPS || JSON.stringify(groups).length > MAX_SHORT_LENGTH;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
    <div class="changes" role="group" aria-label="Changes" tabIndex={isLong ? 0 : undefined}>
      {groups.map((group, index) => (
        <Group key={index} group={group} />
      ))}
    </div>
  );
};

const Group = ({ group: { title, about, changes } }: { readonly group: ChangeGroup }) => (
  <>
    {(title ?? about) !== undefined && (
      <p class="change-title">
        {title !== undefined && (
          <b>
            <ForeignText text={title} />
          </b>
        )}
        {title !== undefined && about !== undefined && " "}
        {about !== undefined && <ForeignText text={about} />}
      </p>
    )}
    {changes.length > 0 && (
      <dl>
        {changes.map((change, index) => (
          <Row key={index} change={change} />
        ))}
      </dl>
    )}
  </>
);

const Row = ({ change: { label, before, after } }: { readonly change: FieldChange }) => (
  <div>
    <dt>
      <ForeignText text={label} />
    </dt>
    <dd>
      {before !== undefined && (
        <del>
          <ForeignText text={before} />
        </del>
      )}
      {before !== undefined && after !== undefined && (
        <>
          <span aria-hidden="true"> → </span>
          <span class="vh"> becomes </span>
        </>
      )}
      {after !== undefined && (
        <ins>
          <ForeignText text={after} />
        </ins>
      )}
    </dd>
  </div>
);

/** The sentence for an open budget request. */
export const budgetWords = (budget: Budget, locale: string): string =>
  `This answer has cost ${spentWords(budget, locale)} so far.`;

const OUTCOMES: Readonly<Record<PermissionReply["decision"], string>> = {
  allow_once: "you let it continue",
  allow_always: "you let it continue",
  reject: "you stopped it",
  expired: "nobody answered in time, so it stopped",
  aborted: "it was stopped before you answered",
};

/** The sentence for an answered budget request. */
export const budgetOutcomeWords = (decision: PermissionReply["decision"], budget: Budget, locale: string): string =>
  `At ${spentWords(budget, locale)}, ${OUTCOMES[decision]}.`;

/** `$0.48 of $0.50`. */
const spentWords = ({ spentUsd, limitUsd }: Budget, locale: string): string =>
  `${formatCost(spentUsd, locale)} of ${formatCost(limitUsd, locale)}`;

type PermissionSubjectProps = {
  readonly subject: PermissionSubject;
  /** The request's title, which is shown above: what it names is not repeated. */
  readonly title: string;
  /** Part of the subject was cut, and can be fetched. */
  readonly isTruncated: boolean;
};

/**
 * Whether a title is a verb and all of a path, which then need not be shown again: `Write plan.md`. It is not enough that the title ends
 * with the path: a title has the path that the model named, and `Edit notes .github/ci.yml` may lead to `.github/ci.yml` by a link.
 */
export const isVerbAndPath = (title: string, path: string): boolean => title.slice(title.indexOf(" ") + 1) === path;

/** Shows exactly what would happen: a diff, a command with its directory, fields, or what was spent. */
export const PermissionSubjectView = ({ subject, title, isTruncated }: PermissionSubjectProps) => {
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
          {!isVerbAndPath(title, subject.path) && (
            <p class="path">
              <code>
                <ForeignText text={subject.path} isCode />
              </code>
            </p>
          )}
          <DiffView
            diff={subject.diff}
            path={subject.path}
            label={`Changes to ${shownText(subject.path)}`}
            cut={isTruncated ? "fetchable" : undefined}
          />
        </>
      );
    case "action":
      return <ActionChanges name={subject.name} input={subject.input} before={subject.before} title={title} />;
    case "plan":
      return <PlanText markdown={subject.markdown} />;
    case "budget":
      return <p>{budgetWords(subject, LOCALE)}</p>;
  }
};
