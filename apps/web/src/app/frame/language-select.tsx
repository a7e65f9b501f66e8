import { currentLanguage, t } from '@tizara/languages'
import { useSyncExternalStore } from 'react'
import { offeredLanguages, type OfferedLanguage, switchLanguage } from '../../lib/language.ts'
import { Select } from '../../ui/select.tsx'

let offered: readonly OfferedLanguage[] | undefined
const NONE: readonly OfferedLanguage[] = []
const never = (): (() => void) => () => undefined

/** Chooses the language of pages without a session. The prerendered page has none, because the server knows the languages. */
export function LanguageSelect() {
  const languages = useSyncExternalStore(
    never,
    () => (offered ??= offeredLanguages()),
    () => NONE,
  )
  if (languages.length < 2) return null
  return (
    <Select
      aria-label={t('Language')}
      className="w-32"
      value={currentLanguage()}
      onChange={(event) => switchLanguage(event.target.value)}
      options={languages.map(({ language, name }) => ({ value: language, label: name }))}
    />
  )
}
