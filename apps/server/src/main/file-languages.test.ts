import { translator } from '@tizara/languages'
import { madeUpCatalogue } from '@tizara/languages/made-up'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { CALENDAR_SAMPLES, modulesWith, PDF_SAMPLES, type SampleHead, textsOfPdf } from '../../test/file-samples.ts'
import { defaultBrand } from '../platform/config/brand.ts'

const LANGUAGES = [
  ['el', 'ltr'],
  ['fa', 'rtl'],
] as const
const headIn = (language: string, direction: 'ltr' | 'rtl'): SampleHead => ({
  brand: defaultBrand('Coral'),
  language: { language, direction, t: translator(madeUpCatalogue(language, direction, [...sources.app, ...sources.server])) },
})
const englishWords = (text: string) => (text.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !['Coral', 'UTC', 'USD'].includes(word))

describe('files of members', () => {
  it('have a sample for each module that renders one', () => {
    expect(Object.keys(PDF_SAMPLES).toSorted()).toEqual(modulesWith('renderPdf('))
    expect(Object.keys(CALENDAR_SAMPLES).toSorted()).toEqual(modulesWith('BEGIN:VCALENDAR'))
  })

  it.each(LANGUAGES)('have no English word in the made-up language %s, neither in PDFs nor in calendars', async (language, direction) => {
    const head = headIn(language, direction)
    for (const [name, render] of Object.entries(PDF_SAMPLES))
      expect([name, englishWords(await textsOfPdf(await render(head)))]).toEqual([name, []])
    for (const [name, render] of Object.entries(CALENDAR_SAMPLES)) {
      const titles = render(head).match(/^SUMMARY:.*(?:\r\n .*)*/gm) ?? []
      expect(titles.length).toBeGreaterThan(4)
      expect([name, englishWords(titles.join('\n').replaceAll('SUMMARY:', ''))]).toEqual([name, []])
    }
  })
})
