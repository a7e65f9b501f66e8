import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { type MailTemplates, renderMail } from './templates.ts'
import { defaultBrand } from '../../platform/config/brand.ts'

const AT = new Date('2026-03-02T09:00:00Z')
const DATA = mkdtempSync(path.join(tmpdir(), 'mail-languages-'))
onFileEnd(async () => rmSync(DATA, { recursive: true, force: true }))
const LIVES = { codeMinutes: 10, verifyLinkHours: 24, resetLinkMinutes: 30 }
const BRAND = { brand: defaultBrand('Tizara'), publicUrl: 'https://tizara.test', dataDir: DATA, ...LIVES, mailTexts: {} }
const ALL: { [T in keyof MailTemplates]: (typed: string) => MailTemplates[T] } = {
  verification: () => ({ code: '123456', token: 'the-token' }),
  anotherRegistration: () => ({ token: 'the-token' }),
  signInCode: () => ({ code: '123456' }),
  reset: (name) => ({ name, token: 'the-token' }),
  passwordChanged: (name) => ({ name, at: AT, how: 'reset' }),
  newDevice: (name) => ({ name, device: 'Chrome on Linux', ip: '192.0.2.1', at: AT }),
  secondFactor: (name) => ({ name, on: true, at: AT }),
  newEmail: (name) => ({ name, token: 'the-token', until: AT }),
  emailChange: (name) => ({ name, token: 'the-token', at: AT }),
  recovery: (name) => ({ name, title: 'your email address will be replaced', text: 'It is replaced.', token: 'the-token' }),
  payout: (name) => ({
    name,
    kind: 'withdrawal',
    step: 'asked',
    amount: 500_000_000n,
    unit: 'USD',
    address: '0x00',
    at: AT,
    until: AT,
    token: 'the-token',
  }),
  payoutAddress: (name) => ({ name, address: '0x00', waits: true, at: AT, token: 'the-token' }),
  moneyIn: (name) => ({ name, title: 'money came in', lines: ['5 USD came from another member.'], token: 'the-token' }),
  terms: (name) => ({ name, token: 'the-token' }),
  notice: (name) => ({ name, title: 'News', lines: ['Plain words.'] }),
}
const NAMES = [
  'Win at https://evil.example',
  'visit evil.example now',
  'visit evil\uff0eexample now',
  'visit evil\u3002example now',
  'www evil',
  '//evil',
  'help@evil.example',
  '198.51.100.7',
  '\u202eelpmaxe.live',
  'a\u200bb',
  'Ada\r\nBcc: x',
  '\u001b[2J',
]
const templates = Object.keys(ALL) as (keyof MailTemplates)[]
const linksOf = (text: string) => [...text.matchAll(/\S*(?::\/\/|www|@|\w\.\w{2,})\S*/g)].map((match) => match[0])

describe.each(templates)('mail %s', (template) => {
  it('contains only its own links, whatever name a member has', () => {
    const plain = renderMail(BRAND, template, ALL[template]('Ada Byron'))
    for (const name of NAMES) {
      const mail = renderMail(BRAND, template, ALL[template](name))
      expect(linksOf(mail.text)).toEqual(linksOf(plain.text))
      expect(linksOf(mail.subject)).toEqual([])
      expect(mail.text).toMatch(/^Hello,\n/)
    }
  })
})

it("[GN-10] states how long code and link are valid, in the operator's brand", () => {
  const instance = { ...BRAND, brand: defaultBrand('Coral'), codeMinutes: 5, verifyLinkHours: 1, resetLinkMinutes: 60 }
  const verification = renderMail(instance, 'verification', { code: '123456', token: 't' })
  expect(verification.subject).toBe('Coral: confirm your registration')
  expect(verification.text).toContain('It is valid for 5 minutes. Or use the button, which is valid for 1 hour:')
  expect(renderMail(instance, 'reset', { name: 'Ada Byron', token: 't' }).text).toContain('valid for 60 minutes')
})

it("[GN-10] uses the operator's texts, and keeps code and link in their places", () => {
  const mailTexts = {
    verification: { lines: ['Welcome to {brand}: {minutes}', 'or within {hours} h {name} <b>', 'Bye'] },
    reset: { subject: '{brand} again' },
  }
  const mail = renderMail({ ...BRAND, mailTexts }, 'verification', { code: '123456', token: 't' })
  expect(mail.subject).toBe('Tizara: confirm your registration')
  expect(mail.text).toBe(
    'Hello,\n\nWelcome to Tizara: 10\n\n    123456\n\nor within 24 h {name} <b>\n\nhttps://tizara.test/auth/verify?token=t\n\nBye\n\nTizara\n',
  )
  expect(mail.html).toContain('&lt;b&gt;')
  expect(renderMail({ ...BRAND, mailTexts }, 'reset', ALL.reset('Ada Byron'))).toMatchObject({
    subject: 'Tizara again',
    text: renderMail(BRAND, 'reset', ALL.reset('Ada Byron')).text,
  })
})

it('greets by a plausible name', () => {
  for (const name of ['Ada Byron', 'J. R. R. Tolkien', "Conan O'Brien", 'Zo\u00eb', '\u5f20\u4f1f', '\u0645\u062d\u0645\u062f']) {
    expect(renderMail(BRAND, 'reset', ALL.reset(name)).text).toContain(`Hello ${name},`)
  }
})

it('repeats no entered text to an unverified address', () => {
  const typed = 'Mallory'
  for (const template of ['verification', 'anotherRegistration'] as const) {
    expect(JSON.stringify(renderMail(BRAND, template, ALL[template](typed)))).not.toContain(typed)
  }
})

it('links a mail about incoming money to the movements, below all of its sentences', () => {
  const lines = ['A deposit of 30.00 USD was credited.', 'You received 5.00 USD from another member.']
  const mail = renderMail(BRAND, 'moneyIn', { name: 'Ada Byron', title: 'money came in 2 times', lines, token: 't' })
  expect(mail.text).toBe(
    `Hello Ada Byron,\n\n${lines.join('\n\n')}\n\nhttps://tizara.test/activity\n\nYour statement lists every movement. You can choose these mails in your profile.\n\nTizara\n`,
  )
  const answered = renderMail(BRAND, 'moneyIn', { name: 'Ada Byron', title: '2 events', lines, token: 't', answered: true })
  expect(answered.text).toContain(`${lines[1]}\n\nhttps://tizara.test/support\n`)
})

describe('mail in a made-up language from right to left', () => {
  const marked = (text: string) => `¿${text}`
  mkdirSync(path.join(DATA, 'languages'))
  const texts = Object.fromEntries([...sources.app, ...sources.server].map((text) => [text, marked(text)]))
  writeFileSync(
    path.join(DATA, 'languages', 'ar.json'),
    JSON.stringify({ language: 'ar', name: 'Test', direction: 'rtl', reviewed: false, texts }),
  )
  /** Templates whose data has sentences of the caller. */
  const composed = new Set(['moneyIn', 'notice', 'recovery'])

  it.each(templates.filter((template) => !composed.has(template)))(
    '%s has subject, texts, labels, language and direction of it',
    (template) => {
      const { subject, text, html } = renderMail(BRAND, template, ALL[template]('Ada Byron'), 'ar')
      expect(subject).toMatch(/^Tizara: ¿/)
      expect(html).toContain('<html lang="ar" dir="rtl">')
      const lines = text.split('\n').filter((line) => /[a-z]{2} [a-z]/i.test(line))
      expect(lines.filter((line) => !line.startsWith('¿'))).toEqual([])
      // A cleaned mark of the translation would be shown as this character.
      expect([subject, text, html].filter((part) => part.includes('\ufffd'))).toEqual([])
    },
  )

  it('isolates values, so that an amount keeps its order, and removes marks that a member typed', () => {
    const { text, html } = renderMail(BRAND, 'payout', { ...ALL.payout('Ada Byron'), address: '\u202e0x00' }, 'ar')
    const amount = `${new Intl.NumberFormat('ar', { minimumFractionDigits: 2 }).format(5)} USD`
    expect(text).toContain(`\u2068${amount}\u2069`)
    expect(html).toContain(`>\u2068${amount}\u2069</td>`)
    expect(html).toContain('>\u2068\ufffd0x00\u2069</td>')
    expect(text).not.toContain('\u202e')
    const unbalanced = renderMail(BRAND, 'payout', { ...ALL.payout('Ada Byron'), address: '\u20690x00' }, 'ar').text
    const marks = (mark: string) => unbalanced.split(mark).length
    expect(marks('\u2068')).toBe(marks('\u2069'))
  })

  it('formats times and amounts of it, and keeps addresses as they are', () => {
    const { text } = renderMail(BRAND, 'payout', ALL.payout('Ada Byron'), 'ar')
    expect(text).toContain(new Intl.NumberFormat('ar', { minimumFractionDigits: 2 }).format(5))
    expect(text).not.toContain('Mar 2026')
    expect(text).toContain('0x00')
  })

  it('is English for a member without a choice, and for a language that is not offered', () => {
    for (const chosen of [null, 'en', 'xx'])
      expect(renderMail(BRAND, 'payout', ALL.payout('Ada Byron'), chosen)).toEqual(renderMail(BRAND, 'payout', ALL.payout('Ada Byron')))
  })
})
