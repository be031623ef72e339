import { IconCheck, IconSelector } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import type { HarnessName } from "../../../contract/ids.ts";
import type { ModelView } from "../../../contract/models.ts";
import { formatDecimal, LOCALE } from "../../format/format-number.ts";
import { Menu } from "../../parts/menu.tsx";
import { choiceWords, effortOptions, type ModelChoice, modelOf, settleChoice } from "./model-choice.ts";
import { HARNESS_NAMES } from "./use-model-choice.ts";

type ModelPickerProps = {
  readonly models: readonly ModelView[];
  readonly choice: ModelChoice;
  readonly harness: HarnessName | undefined;
  readonly onPick: (choice: ModelChoice) => void;
};

/** Chooses a chat's model and effort, in a menu. An effort that the picked model does not know is dropped. */
export const ModelPicker = ({ models, choice, harness, onPick }: ModelPickerProps) => {
  const model = modelOf(choice, models);
  if (model === undefined) return null;
  const words = choiceWords(model, choice);
  const pick = (next: ModelChoice): void => onPick(settleChoice(next, models));
  return (
    <Menu
      class="small model-button"
      label={`Model: ${words}`}
      face={
        <>
          <span>{words}</span>
          <IconSelector size={14} stroke={1.75} aria-hidden="true" />
        </>
      }
    >
      {harness && <p class="harness">Via the {HARNESS_NAMES[harness]}</p>}
      {models.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of fields; these are entries of a menu.
        <div class="model-group" role="group" aria-label="Model">
          <p aria-hidden="true">
            Model <span class="end">per million tokens, in / out</span>
          </p>
          {models.map((one) => (
            <Entry key={one.id} isPicked={one === model} onPick={() => pick({ ...choice, model: one.id })}>
              {one.name}
              <Price model={one} />
            </Entry>
          ))}
        </div>
      )}
      {model.efforts.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: as above.
        <div class="model-group" role="group" aria-label="Effort">
          <p aria-hidden="true">Effort</p>
          <div class="chips">
            {effortOptions(model).map(([effort, name]) => (
              <Entry
                key={effort}
                isPicked={effort === (choice.effort ?? "")}
                onPick={() => pick({ ...choice, effort })}
              >
                {name}
              </Entry>
            ))}
          </div>
        </div>
      )}
    </Menu>
  );
};

type EntryProps = { readonly isPicked: boolean; readonly onPick: () => void; readonly children: ComponentChildren };

/** Keeps room for the check mark, so that names line up. */
const Entry = ({ isPicked, onPick, children }: EntryProps) => (
  <button type="button" aria-pressed={isPicked} onClick={onPick}>
    {isPicked ? <IconCheck size={16} stroke={2} aria-hidden="true" /> : <i />}
    {children}
  </button>
);

const Price = ({ model: { pricePerMillion: price } }: { readonly model: ModelView }) =>
  price && (
    <span class="end price">
      {formatRate(price.input)}
      <span aria-hidden="true"> / </span>
      <span class="vh"> in, </span>
      {formatRate(price.output)}
      <span class="vh"> out, per million tokens</span>
    </span>
  );

/** `$3`, `$0.80`. */
const formatRate = (amountUsd: string): string =>
  formatDecimal(amountUsd, LOCALE, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    trailingZeroDisplay: "stripIfInteger",
  });
