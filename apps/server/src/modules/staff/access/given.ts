/** Only what was given; what is left out stays as it is. */
type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

export const given = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Given<T>
