type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Removes fields with the value undefined, so that a spread does not overwrite current values. */
export const omitUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>
