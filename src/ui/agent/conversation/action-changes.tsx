/** An action's changes, field by field: what stands, and what would stand. */
import { type ChangeGroup, describeAction, type FieldChange } from "./field-changes.ts";

type ActionChangesProps = { readonly name: string; readonly input: unknown; readonly before: unknown };

/** Scrolls by itself where it is about many stocks. */
export const ActionChanges = ({ name, input, before }: ActionChangesProps) => {
  const groups = describeAction(name, input, before);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
    <div class="changes" role="group" aria-label="Changes" tabIndex={groups.length > 3 ? 0 : undefined}>
      {groups.map((group, index) => (
        <Group key={index} group={group} />
      ))}
    </div>
  );
};

const Group = ({ group: { title, changes } }: { readonly group: ChangeGroup }) => (
  <>
    {title !== undefined && <p class="change-title">{title}</p>}
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
    <dt>{label}</dt>
    <dd>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && (
        <>
          <span aria-hidden="true"> → </span>
          <span class="vh"> becomes </span>
        </>
      )}
      {after !== undefined && <ins>{after}</ins>}
    </dd>
  </div>
);
