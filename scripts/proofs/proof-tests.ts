/** Titles of tests or groups, by file. A title is complete except for its ids, and written as in the code, with `%s` and `$key`. */
export type Tests = Readonly<Record<string, readonly string[]>>
