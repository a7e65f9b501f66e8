import { chooseLanguage } from '@tizara/contract/languages'
import { currentLanguage, t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../lib/http/api.ts'
import { offeredLanguages, switchLanguage } from '../lib/language.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast-store.ts'
import { rejectionText } from './addresses/rejection-text.ts'

/** Chooses the language of the member's pages and mails. Shows nothing while English is the only language. */
export default function LanguageCard() {
  const [pending, setPending] = useState(false)
  const languages = offeredLanguages()
  if (languages.length < 2) return null
  const current = languages.find(({ language }) => language === currentLanguage())
  async function choose(language: string): Promise<void> {
    setPending(true)
    try {
      await call(chooseLanguage, { body: { language } })
      switchLanguage(language)
    } catch (error) {
      toast(rejectionText(error), { tone: 'danger' })
      setPending(false)
    }
  }
  return (
    <Card>
      <CardHeader title={t('Language')} hint={t('The language of your pages and mails.')} />
      <Select
        aria-label={t('Language')}
        value={currentLanguage()}
        disabled={pending}
        onChange={(event) => void choose(event.target.value)}
        options={languages.map(({ language, name }) => ({ value: language, label: name }))}
      />
      {current?.reviewed === false && (
        <p className="mt-2 text-sm text-muted">{t('A native speaker has not reviewed this translation yet.')}</p>
      )}
    </Card>
  )
}
