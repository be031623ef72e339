/** A stylesheet beside its component is its rules, for `adoptStyles`. Those of `styles/` have no value: the build finds them. */
declare module "*.css" {
  const rules: string;
  export default rules;
}
