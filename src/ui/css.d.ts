/** Styles are imported for the build to find them; they have no value. */
declare module "*.css";
