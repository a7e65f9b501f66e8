import { messages } from './auth.messages.ts'

/** Returns a value's error, or undefined if valid. */
type Check = (value: string) => string | undefined

/** Requires a value (VA-01). */
export const required: Check = (value) => (value.trim() === '' ? messages.required : undefined)

/** Email format: non-blank, `@`, non-blank, dot, non-blank (VA-12, VA-13). */
export const emailFormat: Check = (value) => required(value) ?? (/^\S+@\S+\.\S+$/.test(value.trim()) ? undefined : messages.emailFormat)

/** Requires a minimum length (VA-18, VA-20, VA-74, VA-78). */
export const minLength =
  (length: number): Check =>
  (value) =>
    value === '' ? messages.required : value.length < length ? messages.tooShort(length) : undefined

/** Optional value with a minimum length (VA-19). */
export const emptyOrMinLength =
  (length: number): Check =>
  (value) =>
    value.trim() === '' || value.trim().length >= length ? undefined : messages.tooShort(length)

/** Keeps only fields with an error, as forms expect. */
export function fieldErrors<Name extends string>(errors: Record<Name, string | undefined>): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name in errors) {
    const text = errors[name]
    if (text !== undefined) found[name] = text
  }
  return found
}
