/** A stylesheet beside its component is its rules, for `adoptStyles`. Those that `styles/app.css` imports are never imported here. */
declare module "*.css" {
  const rules: string;
  export default rules;
}
