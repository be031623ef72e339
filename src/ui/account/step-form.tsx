/** The form around a step of signing in. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { announce } from "../parts/announcer.tsx";

type StepFormProps = {
  /** Read aloud when it comes up; the field shows it. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
};

/** Never sent by the browser itself. */
export const StepForm = ({ problem, onSubmit, children }: StepFormProps) => {
  useEffect(() => {
    if (problem !== undefined) announce(problem);
  }, [problem]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
};
