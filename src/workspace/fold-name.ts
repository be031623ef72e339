/** One spelling for all the names that some file system takes for the same. */

/**
 * A name as HFS+, NTFS or ext4 with case folding would look it up, or folded further: without case, compatibility forms,
 * invisible characters and trailing dots. To compare names with; never shown.
 */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
