/** The part of papaparse that is used. Its own types bring in those of Node, which a browser does not have. */

declare const Papa: {
  parse<T>(
    text: string,
    config: {
      readonly delimiter: string;
      readonly newline: "\n";
      step(
        row: {
          readonly data: T;
          readonly errors: readonly { readonly type: string; readonly code: string }[];
          /** `cursor` is where the row ends in the text. */
          readonly meta: { readonly cursor: number };
        },
        parser: { abort(): void },
      ): void;
    },
  ): void;
};
export default Papa;
