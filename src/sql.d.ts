/** A migration's text, bundled by the Text rule of wrangler.toml. */
declare module "*.sql" {
  const text: string;
  export default text;
}
