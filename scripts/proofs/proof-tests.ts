/** Titles of tests, or of groups of tests, by file. A title is whole but for its ids, and reads as in the code, `%s` and `$key` included. */
export type Tests = Readonly<Record<string, readonly string[]>>
