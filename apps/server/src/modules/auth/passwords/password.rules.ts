import { dictionary } from '@zxcvbn-ts/language-common'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Config } from '../../../platform/config/config.ts'

/** Most common passwords (ASVS 6.2.4 requires 3,000; this list has about 49,000). */
const COMMON = new Set(dictionary['passwords-common'].map(String))
/** Minimum length of a part of a name or address that a password must not contain. Shorter parts occur by chance. */
const SHORTEST_CONTEXT_WORD = 4

const normalize = (text: string) => text.normalize('NFKC').toLowerCase()
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const plain = (text: string) => normalize(text).replaceAll(/[013457@$!]/g, (character) => LOOKALIKES[character] ?? character)
const withoutEnds = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/**
 * Rejects passwords that are easy to guess (ASVS 6.2.4, 6.2.11): common passwords (also with digits, signs or look-alikes), repeated parts,
 * sequences, and words from the brand or the member.
 * @throws AppError PASSWORD_TOO_COMMON
 */
export function assertPassword(
  password: string,
  config: Pick<Config, 'brand' | 'tokenSymbol'>,
  member: { email: string; name: string },
): void {
  const forms = [normalize(password), plain(password)]
  const stems = forms.flatMap((form) => [form, withoutEnds(form)])
  const context = [config.brand.name, config.tokenSymbol, ...member.email.split(/[@.]/).slice(0, -1), ...member.name.split(/\s+/)]
    .map(normalize)
    .filter((word) => word.length >= SHORTEST_CONTEXT_WORD)
  const common =
    forms.some((form) => COMMON.has(form)) ||
    stems.some((stem) => stem.length >= 4 && COMMON.has(stem) && password.length - stem.length <= 4)
  // Matches a context word with little around it: `tizara2026`, but not a long sentence with the word.
  const named = context.some((word) => forms.some((form) => form.includes(word) && form.length - word.length <= 6))
  if (common || named || isPattern(normalize(password))) throw new AppError('PASSWORD_TOO_COMMON', {}, [])
}

function isPattern(text: string): boolean {
  if (/^(.{1,3})\1+$/su.test(text)) return true
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1)
}
