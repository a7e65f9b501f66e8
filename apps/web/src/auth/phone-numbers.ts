import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

/** A country as a select shows it: `United States +1`. */
export interface Country {
  value: string
  label: string
}

/** Every country that has numbers, by name. */
export function countries(): Country[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  return getCountries()
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} +${getCountryCallingCode(code)}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

const countryOf = (code: string): CountryCode => (isSupportedCountry(code) ? code : 'US')

/**
 * The international form of a typed number, digits checked (VA-17, EN-06).
 * @param typed as typed; with a leading + the country is its own
 * @returns `+12015550123`, or null when it is no valid number
 */
export function toInternational(typed: string, country: string): string | null {
  const number = parsePhoneNumberFromString(typed, countryOf(country))
  return number?.isValid() === true ? number.number : null
}

/** The country of a number that was typed with its own calling code, once it is known. */
export function countryOfTyped(typed: string): string | undefined {
  return typed.trim().startsWith('+') ? parsePhoneNumberFromString(typed)?.country : undefined
}
