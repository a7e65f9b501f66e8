import { messages } from './auth.messages.ts'

/** The error text of a value, or undefined when it is fine. */
type Check = (value: string) => string | undefined

/** A value must be there (VA-01). */
export const required: Check = (value) => (value.trim() === '' ? messages.required : undefined)

/** An address: non-blank characters, `@`, non-blank characters, a dot, non-blank characters (VA-12, VA-13). */
export const emailFormat: Check = (value) => required(value) ?? (/^\S+@\S+\.\S+$/.test(value.trim()) ? undefined : messages.emailFormat)

/** A required value of at least so many characters (VA-18, VA-20, VA-74, VA-78). */
export const atLeast =
  (length: number): Check =>
  (value) =>
    value === '' ? messages.required : value.length < length ? messages.tooShort(length) : undefined

/** A value that may be left out, else of at least so many characters (VA-19). */
export const emptyOrAtLeast =
  (length: number): Check =>
  (value) =>
    value.trim() === '' || value.trim().length >= length ? undefined : messages.tooShort(length)

/** Only the fields that have an error, as a form takes them. */
export function faults<Name extends string>(errors: Record<Name, string | undefined>): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name in errors) {
    const text = errors[name]
    if (text !== undefined) found[name] = text
  }
  return found
}
