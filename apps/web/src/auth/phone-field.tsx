import { t } from '@tizara/languages'
import { useEffect, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import type { Country } from './phone-numbers.ts'

/** Loads the large phone number table after the form. */
export const loadPhoneNumbers = () => import('./phone-numbers.ts')

export interface PhoneFieldProps {
  country: string
  number: string
  error?: string | undefined
  /** Called when the focus leaves the number. */
  onLeave?: (() => void) | undefined
  onCountry: (country: string) => void
  onNumber: (number: string) => void
}

/** Phone number with country, by default United States (UI-SIGNUP-05, CO-08). */
export function PhoneField({ country, number, error, onLeave, onCountry, onNumber }: PhoneFieldProps) {
  const [list, setList] = useState<Country[]>([{ value: 'US', label: t('United States +1') }])
  useEffect(() => {
    let isMounted = true
    loadPhoneNumbers().then(
      (numbers) => isMounted && setList(numbers.countries()),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])

  async function type(text: string): Promise<void> {
    onNumber(text)
    const numbers = await loadPhoneNumbers()
    const found = numbers.countryOfTyped(text)
    if (found !== undefined) onCountry(found)
  }

  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 sm:gap-2">
      <Field label={t('Country')}>
        <Select name="country" value={country} onChange={(event) => onCountry(event.target.value)} options={list} autoComplete="country" />
      </Field>
      <Field label={t('Phone')} error={error}>
        <Input
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          value={number}
          onChange={(event) => void type(event.target.value)}
          onBlur={onLeave}
        />
      </Field>
    </div>
  )
}
