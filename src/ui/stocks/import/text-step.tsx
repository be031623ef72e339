/** The first step: paste a text or choose a file. */
import { IconFileUpload } from "@tabler/icons-preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import type { ImportText } from "./use-import-text.ts";

const EXAMPLE = "AAPL 10 @ 180.5 USD #tech\nMSFT\nXETR:SAP 4";

/** `isOver`: a file is being dragged over the page. */
type TextStepProps = { readonly input: ImportText; readonly isOver: boolean };

export const TextStep = ({ input, isOver }: TextStepProps) => {
  const box = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // On a phone the keyboard would cover the button for a file.
    if (matchMedia("(pointer: fine)").matches) box.current?.focus();
    else choose.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div class={isOver ? "import-text over" : "import-text"}>
      <Field
        label="Paste symbols, lines or a table"
        hint="One stock per line, rows copied from a spreadsheet, or the text of a CSV or JSON file. Nothing is added until you have seen the preview."
      >
        {(control) => (
          <textarea
            {...control}
            ref={box}
            class="input"
            rows={9}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            placeholder={EXAMPLE}
            value={input.text}
            onInput={({ currentTarget }) => input.write(currentTarget.value)}
          />
        )}
      </Field>
      <div class="import-file" ref={choose}>
        <Button icon={IconFileUpload} onClick={() => file.current?.click()}>
          Choose a file
        </Button>
        <span class="muted">
          <span class="import-drop">or drop it here. </span>CSV, TXT or JSON, up to 6 MB.
        </span>
        <input
          ref={file}
          class="vh"
          type="file"
          tabIndex={-1}
          aria-label="File to import"
          accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen) input.takeFile(chosen);
            // So that the same file can be chosen again after it was fixed.
            currentTarget.value = "";
          }}
        />
      </div>
      <p class="import-problem" role="alert">
        {input.problem}
      </p>
    </div>
  );
};

type TextFooterProps = {
  readonly input: ImportText;
  readonly onCancel: () => void;
  readonly onPreview: () => void;
};

/** The preview is available once there is some text. */
export const TextFooter = ({ input, onCancel, onPreview }: TextFooterProps) => (
  <>
    <Button onClick={onCancel}>Cancel</Button>
    <Button tone="primary" disabled={input.text.trim() === ""} onClick={onPreview}>
      Preview
    </Button>
  </>
);
