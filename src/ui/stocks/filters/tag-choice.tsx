/** Which tags a stock must have. */
import type { FilterOption } from "./filter-options.ts";

type TagChoiceProps = {
  readonly options: readonly FilterOption[];
  readonly chosen: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
};

/** One box for each tag; case does not count. A chosen tag that no stock has any more stays, to be taken off. */
export const TagChoice = ({ options, chosen, onChange }: TagChoiceProps) => {
  const isSame = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();
  const gone = chosen.filter((tag) => !options.some(({ value }) => isSame(tag)(value)));
  return (
    <fieldset>
      <legend>Tags</legend>
      {[...options, ...gone.map((value) => ({ value, count: 0 }))].map(({ value, count }) => {
        const isChosen = chosen.some(isSame(value));
        return (
          <label key={value} class="check">
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange(isChosen ? chosen.filter((tag) => !isSame(value)(tag)) : [...chosen, value])}
            />
            {value} <small class="count">{count}</small>
          </label>
        );
      })}
    </fieldset>
  );
};
