import { currentLanguage, isolate } from '@tizara/languages'
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

/** Country option: `United States +1`. */
export interface Country {
  value: string
  label: string
}

/** Returns all countries with phone numbers, sorted by name. */
export function countries(): Country[] {
  const names = new Intl.DisplayNames([currentLanguage()], { type: 'region' })
  return getCountries()
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} ${isolate(`+${getCountryCallingCode(code)}`)}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, currentLanguage()))
}

const countryOf = (code: string): CountryCode => (isSupportedCountry(code) ? code : 'US')

/**
 * Converts a typed number to international form after validation (VA-17, EN-06).
 * @param typed as typed; a leading + overrides the country
 * @returns `+12015550123`, or null if invalid
 */
export function toInternational(typed: string, country: string): string | null {
  const number = parsePhoneNumberFromString(typed, countryOf(country))
  return number?.isValid() === true ? number.number : null
}

/** Returns the country for a number typed with its calling code, if known. */
export function countryOfTyped(typed: string): string | undefined {
  return typed.trim().startsWith('+') ? parsePhoneNumberFromString(typed)?.country : undefined
}
