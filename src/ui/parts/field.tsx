import type { ComponentChildren } from "preact";
import { useOwnId } from "./use-own-id.ts";

/** Props for the control inside. */
type FieldControl = {
  readonly id: string;
  readonly "aria-invalid"?: "true";
  readonly "aria-describedby"?: string;
};

type FieldProps = {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is wrong and how to fix it. */
  readonly problem?: string | undefined;
  readonly children: (control: FieldControl) => ComponentChildren;
};

/** A labelled control with its hint and problem, connected for screen readers. */
export const Field = ({ label, hint, problem, children }: FieldProps) => {
  const id = useOwnId();
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(problem ? { "aria-invalid": "true" } : {}),
        ...(described ? { "aria-describedby": described } : {}),
      })}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};
