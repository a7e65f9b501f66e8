import { describe, expect, it } from 'vitest'
import { type MailTemplates, renderMail } from './templates.ts'

const BRAND = { brandName: 'Tizara', publicUrl: 'https://tizara.test' }
const ALL: { [T in keyof MailTemplates]: (typed: string) => MailTemplates[T] } = {
  verification: () => ({ code: '123456', token: 'the-token' }),
  anotherRegistration: () => ({ token: 'the-token' }),
  reset: (name) => ({ name, token: 'the-token' }),
  passwordChanged: (name) => ({ name, at: 'now', how: 'reset' }),
  newDevice: (name) => ({ name, device: 'Chrome on Linux', ip: '192.0.2.1', at: 'now' }),
  secondFactor: (name) => ({ name, on: true, at: 'now' }),
  payout: (name) => ({ name, step: 'asked', amount: '5 USD', address: '0x00', at: 'now' }),
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

describe.each(templates)('the mail %s', (template) => {
  it('has no link but its own, whatever name somebody took', () => {
    const plain = renderMail(BRAND, template, ALL[template]('Ada Byron'))
    for (const name of NAMES) {
      const mail = renderMail(BRAND, template, ALL[template](name))
      expect(linksOf(mail.text)).toEqual(linksOf(plain.text))
      expect(linksOf(mail.subject)).toEqual([])
      expect(mail.text).toMatch(/^Hello,\n/)
    }
  })
})

it('greets by a name that is one', () => {
  for (const name of ['Ada Byron', 'J. R. R. Tolkien', "Conan O'Brien", 'Zo\u00eb', '\u5f20\u4f1f', '\u0645\u062d\u0645\u062f']) {
    expect(renderMail(BRAND, 'reset', ALL.reset(name)).text).toContain(`Hello ${name},`)
  }
})

it('carries nothing typed to an address that nobody has proved', () => {
  const typed = 'Mallory'
  for (const template of ['verification', 'anotherRegistration'] as const) {
    expect(JSON.stringify(renderMail(BRAND, template, ALL[template](typed)))).not.toContain(typed)
  }
})
