import { describe, expect, it } from 'vitest'
import { fillText, translateResponse, valueTexts } from './response-texts.ts'

/** A translation that keeps the values in another order. */
const words: Readonly<Record<string, string>> = { 'My Wallet': 'Mi cartera', Yes: 'Sí' }
const t = (text: string, values: Readonly<Record<string, string | number>> = {}) =>
  words[text] ?? (Object.keys(values).length === 0 ? text : `${text}|${JSON.stringify(values)}`)

describe('texts of responses', () => {
  it('are found again by their form, with the values that the server filled in', () => {
    const samples: Readonly<Record<string, string>> = { wallet: 'My Wallet', rank: 'Gold +', id: '0xab-1', address: '0xAb12' }
    for (const text of valueTexts) {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const values = Object.fromEntries(names.map((name) => [name, samples[name] ?? '1,095.50']))
      const filled = fillText(text, values as never)
      expect(filled).not.toMatch(/[{}]/)
      const translated = names.map((name) => [name, name === 'wallet' ? 'Mi cartera' : values[name]])
      expect(translateResponse(filled, t)).toBe(`${text}|${JSON.stringify(Object.fromEntries(translated))}`)
      expect(
        translateResponse(filled, (english, found) => (found === undefined ? english : fillText(english as never, found as never))),
      ).toBe(filled)
    }
  })

  it('pass whole numbers as numbers, so that a translation can choose a plural', () => {
    expect(translateResponse('1095 days', t)).toBe('{days} days|{"days":1095}')
    expect(translateResponse('0.10 × 5 % ÷ 12 months', t)).toBe(
      '{amount} × {percent} % ÷ {steps} months|{"amount":"0.10","percent":5,"steps":12}',
    )
  })

  it('stay as they are when they have no form, such as a sentence of staff', () => {
    for (const text of ['', 'Half of it', 'ten days', '2 of the 3 documents', 'Deposit was late', 'x'.repeat(50_000), '1'.repeat(50_000)])
      expect(translateResponse(text, t)).toBe(text)
    expect(translateResponse('Yes', t)).toBe('Sí')
  })
})
