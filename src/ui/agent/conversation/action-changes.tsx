/** An action's changes, field by field: what stands, and what would stand. */
import { ForeignText } from "../permission/foreign-text.tsx";
import { type ChangeGroup, describeAction, type FieldChange } from "./field-changes.ts";

type ActionChangesProps = { readonly name: string; readonly input: unknown; readonly before: unknown };

/** Groups, and UTF-16 units of all of them as JSON, that surely fit the box on a phone: 16 lines of 25 characters. */
const MAX_SHORT_GROUPS = 3;
const MAX_SHORT_LENGTH = 300;

/** Scrolls by itself where it is long; then keys reach it. */
export const ActionChanges = ({ name, input, before }: ActionChangesProps) => {
  const groups = describeAction(name, input, before);
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

const Group = ({ group: { title, changes } }: { readonly group: ChangeGroup }) => (
  <>
    {title !== undefined && (
      <p class="change-title">
        <ForeignText text={title} />
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
